export { ReportSections, ThemeButton } from './report-page.tsx';
export { type Theme, useTheme } from './use-theme.ts';
