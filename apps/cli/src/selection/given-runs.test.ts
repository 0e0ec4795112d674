import { beforeAll, describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { corpusLines } from '../../test/corpus-folder.ts';
import { runKp } from '../../test/run-kp.ts';

const folder = useFolder('kp-given-runs-');
const at = (name: string): string => join(folder, name);
const COMMANDS = ['select', 'corpus run'];

beforeAll(async () => {
  await Bun.write(at('runs.jsonl'), corpusLines(40).join('\n'));
  await Bun.write(at('have.jsonl'), corpusLines(20, 100).join('\n'));
  await Bun.write(at('damaged.jsonl'), [...corpusLines(20, 100), '{"id":'].join('\n'));
  const [first = ''] = corpusLines(1);
  await Bun.write(at('labels.json'), JSON.stringify({ [JSON.parse(first).id]: true }));
});

const choose = (command: string, have: string, ...more: readonly string[]) => {
  const words = [at('runs.jsonl'), '--top', '5', '--seeded-by', at(have), '-o', at('best.jsonl')];
  return runKp([...command.split(' '), ...words, ...more]);
};

describe.each(COMMANDS)('kp %s --seeded-by', (command) => {
  it('uses given runs that do not match --where', async () => {
    const { errors, exitCode } = await choose(command, 'have.jsonl', '--where', 'success=true');
    expect(exitCode).toBe(0);
    expect(errors).toContain(', to add to the 20 runs given');
    expect(errors).toContain('left out by --where');
  });

  it('exits with 3 if parts of the given runs cannot be read', async () => {
    const { errors, exitCode } = await choose(command, 'damaged.jsonl');
    expect(exitCode).toBe(3);
    expect(errors).toContain('damaged.jsonl');
    expect(errors).toContain(', to add to the 20 runs given');
  });

  it('does not expect the labels to be of the given runs', async () => {
    const { errors, exitCode } = await choose(command, 'have.jsonl', '--labels', at('labels.json'));
    expect({ exitCode, problems: errors.includes('problem') }).toEqual({
      exitCode: 0,
      problems: false,
    });
  });
});

describe('kp report --compare', () => {
  it('exits with 3 if parts of the base cannot be read', async () => {
    const words = ['report', at('runs.jsonl'), '--compare', at('damaged.jsonl')];
    const { errors, exitCode } = await runKp([...words, '-o', at('page.html'), '-q']);
    expect(exitCode).toBe(3);
    expect(errors).toContain('damaged.jsonl');
  });
});
