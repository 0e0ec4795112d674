export type { FoundTexts, TextSource } from '../transcript/text-source.ts';
export { ReportSections, type ReportSectionsProps, ThemeButton } from './report-page.tsx';
export { type Theme, useTheme } from './use-theme.ts';
