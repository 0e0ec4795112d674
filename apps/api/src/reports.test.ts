import { beforeAll, describe, expect, it } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { type EntryPoint, readEntryPoints } from './entry-points.ts';
import { updateReports } from './reports.ts';

describe('the reports in the repository', () => {
  it('match the built declarations; bun run maintain api writes them', async () => {
    const entryPoints = await readEntryPoints();
    expect(entryPoints.map(({ name }) => name)).toContain('@kp/memory/sqlite');
    expect(await updateReports(entryPoints, { check: true })).toEqual([]);
  }, 300_000);
});

describe('updateReports', () => {
  const folder = useFolder('kp-api-test-');
  let entryPoint: EntryPoint;

  beforeAll(async () => {
    await mkdir(join(folder, 'dist'));
    await Bun.write(join(folder, 'package.json'), JSON.stringify({ name: '@kp/ferry' }));
    const declarations = join(folder, 'dist/index.d.ts');
    entryPoint = { name: '@kp/ferry', folder, subpath: 'index', declarations };
  });

  const declare = (text: string) => Bun.write(join(folder, 'dist/timetable.d.ts'), text);
  const change = (check: boolean) => updateReports([entryPoint], { check });

  it('follows declarations through imports that end in .ts, as our compiler writes them', async () => {
    await Bun.write(entryPoint.declarations, "export { depart } from './timetable.ts';\n");
    await declare('/** When. */\nexport declare function depart(pier: number): string;\n');
    expect(await change(true)).toEqual([
      {
        name: '@kp/ferry',
        path: join(folder, 'api/index.api.md'),
        difference: 'expected a report, received none',
      },
    ]);
    expect(await change(false)).toHaveLength(1);
    const report = await Bun.file(join(folder, 'api/index.api.md')).text();
    expect(report).toContain('export function depart(pier: number): string;');
    expect(await change(true)).toEqual([]);
  });

  it('shows the changed lines of a type without writing the report', async () => {
    await declare('/** When. */\nexport declare function depart(pier: string): string;\n');
    const [first] = await change(true);
    expect(first?.difference).toContain('-export function depart(pier: number): string;');
    expect(first?.difference).toContain('+export function depart(pier: string): string;');
    expect(await change(true)).toHaveLength(1);
  });

  it('shows a change in a type that is only used, not exported', async () => {
    const before = 'interface Pier { n: number }\n';
    await declare(`${before}export declare function depart(pier: Pier): string;\nexport {};\n`);
    await change(false);
    await declare(
      `interface Pier { n: string }\nexport declare function depart(pier: Pier): string;\nexport {};\n`,
    );
    expect((await change(true))[0]?.difference).toContain('+    n: string');
  });
});
