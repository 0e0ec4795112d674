import { serveRows } from '../compare/serve-rows.ts';

await serveRows(JSON.parse(process.argv[2] ?? ''));
