export { type BenchNoveltyOptions, benchNovelty } from './bench-novelty.ts';
export type { NoveltyRow } from './measure-novelty.ts';
export { noveltyCommand } from './novelty-command.ts';
export { noveltyTable } from './novelty-table.ts';
