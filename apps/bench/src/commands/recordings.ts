import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReasoningTrace } from '@knowledgepulse/sdk';
import { createSecretScanner, type SecretScanner } from '@kp/curation';
import { importTraces } from '@kp/importers';
import { PLANTED_KINDS, plantSecrets, seededRandom } from '@kp/testing/planted-secrets';
import type { Command } from 'commander';
import { renderMarkdown, renderTerminal } from '../results/tables.ts';

/** Hands all that follows to the command of the novelty measurement, which has options of its own. */
export function addNoveltyCommand(program: Command): void {
  const command = program
    .command('novelty')
    .summary('measure how well novelty tells repeats from first sights')
    .argument('[words...]', 'a directory of labelled recordings, and options')
    .usage('DIR [options]')
    .allowUnknownOption()
    .helpOption(false);
  command.action(async () => {
    const { noveltyCommand } = await import('../novelty/novelty-command.ts');
    process.exitCode = await noveltyCommand(command.args);
  });
}

const MOST_TRACES = 200;
const MOST_OF_A_FILE = 20;

// Not the seed that the rules were written with.
const SEED = 20_261_122;

/** Counts planted secrets that are masked, and what is found in the same recordings as they are. */
export function addSecretsCommand(program: Command): void {
  program
    .command('secrets')
    .summary('measure what the scan for secrets finds')
    .description(
      'Plants secrets of all kinds into recorded runs and counts those that are masked in full; also counts what is found in the same runs without them.',
    )
    .argument('<folder>', 'recordings')
    .option('--markdown', 'print the tables as Markdown')
    .action(async (folder: string, { markdown }: { readonly markdown?: boolean }) => {
      const traces = await readTraces(folder);
      const scanner = await createSecretScanner();
      const render = markdown === true ? renderMarkdown : renderTerminal;
      console.log(render(await recallTable(traces, scanner)));
      console.log(`\n${render(await findingsTable(traces, scanner))}`);
    });
}

async function readTraces(folder: string): Promise<ReasoningTrace[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(jsonl?|traj)(\.gz)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const traces: ReasoningTrace[] = [];
  for (const file of files) {
    let ofFile = 0;
    for await (const item of importTraces([readFileSync(file)], { assumeSuccess: true })) {
      if (item.kind !== 'trace' || item.trace.steps === undefined) continue;
      traces.push(item.trace);
      if (traces.length === MOST_TRACES) return traces;
      if (++ofFile === MOST_OF_A_FILE) break;
    }
  }
  return traces;
}

async function recallTable(traces: readonly ReasoningTrace[], scanner: SecretScanner) {
  const random = seededRandom(SEED);
  const masked = new Map<string, number>();
  for (const trace of traces) {
    const planted = plantSecrets(random);
    const steps: object[] = [...trace.steps];
    const starts = planted.map(({ places }) => {
      const start = steps.length;
      steps.push(...places.map((place) => stepOf(place)));
      return start;
    });
    const scan = await scanner.scan({ ...trace, steps });
    const after = scan.mask({ ...trace, steps }).steps;
    for (const [index, { kind, secret, places }] of planted.entries()) {
      const start = starts[index] ?? 0;
      const text = charactersOf(after.slice(start, start + places.length));
      if (text.includes(secret.replaceAll(/\s/g, ''))) continue;
      masked.set(kind, (masked.get(kind) ?? 0) + 1);
    }
  }
  return {
    columns: [
      { heading: 'planted' },
      { heading: 'in traces', right: true },
      { heading: 'masked in full', right: true },
    ],
    rows: PLANTED_KINDS.map((kind) => [
      kind,
      String(traces.length),
      share(masked.get(kind) ?? 0, traces.length),
    ]),
  };
}

function stepOf(place: string | object): object {
  return typeof place === 'string' ? { content: place } : { input: place };
}

/** The characters of all texts and numbers of a value, without disguises. */
function charactersOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).map(charactersOf).join('');
  }
  return Bun.stripANSI(String(value))
    .normalize('NFKC')
    .replaceAll(/[\u200b\s]/g, '');
}

async function findingsTable(traces: readonly ReasoningTrace[], scanner: SecretScanner) {
  const findings = new Map<string, number>();
  const holding = new Map<string, number>();
  for (const trace of traces) {
    const kinds = (await scanner.scan(trace)).findings.map(({ kind }) => kind);
    for (const kind of kinds) findings.set(kind, (findings.get(kind) ?? 0) + 1);
    for (const kind of new Set(kinds)) holding.set(kind, (holding.get(kind) ?? 0) + 1);
  }
  return {
    columns: [
      { heading: 'found as they are' },
      { heading: 'places', right: true },
      { heading: 'traces', right: true },
    ],
    rows: [...findings].map(([kind, places]) => [kind, String(places), String(holding.get(kind))]),
  };
}

function share(count: number, of: number): string {
  return `${((count / of) * 100).toFixed(1)} %`;
}
