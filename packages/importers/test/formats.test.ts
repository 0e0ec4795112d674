import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from './contract.ts';
import { factsIn } from './facts.ts';
import { importAll, sketch } from './read.ts';
import { SAMPLES } from './samples/index.ts';

describe('small recordings of each format', () => {
  it.each(SAMPLES.map((sample) => [sample.format, sample.name, sample] as const))(
    'gives the steps that were worked out by hand: %s, %s',
    async (format, _name, { text, objective, steps }) => {
      const items = await importAll(text, { assumeSuccess: true });
      const [item] = items;
      if (items.length !== 1 || item?.kind !== 'trace') throw new Error(JSON.stringify(items));
      expect(item.format).toBe(format);
      expect(item.trace.task.objective).toBe(objective);
      expect(sketch(item)).toEqual([...steps]);
    },
  );

  it.each(SAMPLES.map((sample) => [sample.format, sample.name, sample] as const))(
    'gives what else was worked out by hand: %s, %s',
    async (_format, _name, { text, facts }) => {
      expect(await factsIn(text)).toEqual([...facts]);
    },
  );
});

for (const format of new Set(SAMPLES.map((sample) => sample.format))) {
  const own = SAMPLES.filter((sample) => sample.format === format);
  describeImporterContract(
    format,
    own.map(({ name, text }) => ({ name, text, runs: 1 })),
  );
}
