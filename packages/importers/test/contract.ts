import { describe, expect, it } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { parseTrace } from '@kp/schema';
import fc from 'fast-check';
import {
  BUILT_IN_IMPORTERS,
  type JsonValue,
  PROVENANCE_KEY,
  type Provenance,
} from '../src/index.ts';
import { importAll } from './read.ts';

/** A recording for the contract: its text and how many runs are in it. */
export interface Sample {
  readonly name: string;
  readonly text: string;
  readonly runs: number;
}

/** What holds for every format. Call it once in the test file of each. */
export function describeImporterContract(format: string, samples: readonly Sample[]): void {
  const options = { assumeSuccess: false };

  describe(`${format}: contract of importers`, () => {
    it('is registered once, with a name that can be typed', () => {
      expect(BUILT_IN_IMPORTERS.filter(({ name }) => name === format)).toHaveLength(1);
      expect(format).toMatch(/^[a-z\d]+(?:-[a-z\d]+)*$/);
    });

    it.each([...samples])(
      'tells its format from the content and reads all runs: $name',
      async ({ text, runs }) => {
        const items = await importAll(text, options);
        expect(items.filter((item) => item.kind === 'error')).toEqual([]);
        expect(items).toHaveLength(runs);
        for (const item of items) expect(item).toMatchObject({ kind: 'trace', format });
        expect(await importAll(text, { ...options, format })).toEqual(items);
      },
    );

    it.each([...samples])(
      'gives valid traces that say where each field comes from: $name',
      async ({ text }) => {
        for (const item of await importAll(text, options)) {
          if (item.kind !== 'trace') throw new Error('expected a trace');
          const trace = parseTrace(item.trace);
          const provenance = trace[PROVENANCE_KEY] as Provenance;
          expect(provenance).toMatchObject({
            format,
            success: expect.any(String),
            confidence: 'assumed',
          });
          const recovered = trace.steps.filter(({ type }) => type === 'error_recovery');
          const derived = provenance.derived.filter(({ field }) => field === 'type');
          expect(derived.map(({ step_id }) => step_id)).toEqual(
            recovered.map(({ step_id }) => step_id),
          );
          for (const field of derived) {
            if (field.field !== 'type') continue;
            for (const from of field.from) {
              expect(from).toBeLessThan(field.step_id);
              expect(trace.steps[from]).toMatchObject({
                type: 'observation',
                'kp:source': { error: expect.any(String) },
              });
            }
          }
          expect(trace.steps.map(({ step_id }) => step_id)).toEqual(trace.steps.map((_, i) => i));
        }
      },
    );

    it.each([...samples])('gives the same bytes again, also from gzip: $name', async ({ text }) => {
      const first = JSON.stringify(await importAll(text, options));
      expect(JSON.stringify(await importAll(text, options))).toBe(first);
      expect(JSON.stringify(await importAll(gzipSync(text), options))).toBe(first);
    });

    it.each([...samples])(
      'gives each run an id of its own, whatever the options: $name',
      async ({ text }) => {
        const ids = (items: Awaited<ReturnType<typeof importAll>>): string[] =>
          items.flatMap((item) => ('trace' in item ? [item.trace.id] : []));
        const found = ids(await importAll(text, options));
        const contents = (await importAll(text, options)).map((item) =>
          JSON.stringify('trace' in item && item.trace),
        );
        expect(new Set(found).size).toBe(new Set(contents).size);
        expect(
          ids(await importAll(text, { success: true, confidence: 1, domain: 'code' })),
        ).toEqual(found);
      },
    );

    it.each([...samples])(
      'reports what a cut leaves unfinished, with its line: $name',
      async ({ text, runs }) => {
        await fc.assert(
          fc.asyncProperty(fc.nat(text.trimEnd().length - 1), async (length) => {
            const items = await importAll(text.slice(0, length), options);
            const errors = items.filter((item) => item.kind === 'error');
            for (const { line, error } of errors) {
              expect(line).toBeGreaterThan(0);
              expect(error.message).toStartWith('line ');
            }
            // Lines before the cut are whole, so that only their number tells of it.
            const isLines = text.includes('\n{"');
            if (!isLines && text.slice(0, length).trim() !== '')
              expect(errors.length).toBeGreaterThan(0);
            expect(items.length - errors.length).toBeLessThanOrEqual(runs);
          }),
          { numRuns: 40 },
        );
      },
    );

    it.each([...samples])(
      'neither throws nor gives an invalid trace when any part is replaced: $name',
      async ({ text }) => {
        const values = text.includes('\n{"')
          ? text
              .trim()
              .split('\n')
              .map((line): JsonValue => JSON.parse(line))
          : [JSON.parse(text) as JsonValue];
        await fc.assert(
          fc.asyncProperty(fc.nat(), fc.jsonValue(), fc.boolean(), async (at, other, named) => {
            const counter = {
              left: at % values.reduce<number>((sum, value) => sum + countNodes(value), 0),
            };
            const broken = values.map((value) =>
              JSON.stringify(replaceNode(value, counter, other as JsonValue)),
            );
            const items = await importAll(
              broken.join('\n'),
              named ? { ...options, format } : options,
            );
            for (const item of items) {
              if (item.kind === 'error') expect(item.error.message).toStartWith('line ');
              else if ('trace' in item && item.format !== 'kp') parseTrace(item.trace);
            }
          }),
          { numRuns: 150 },
        );
      },
    );
  });
}

function countNodes(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + countNodes(child), 1);
}

function replaceNode(value: JsonValue, counter: { left: number }, other: JsonValue): JsonValue {
  if (counter.left-- === 0) return other;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((child) => replaceNode(child, counter, other));
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, replaceNode(child, counter, other)]),
  );
}
