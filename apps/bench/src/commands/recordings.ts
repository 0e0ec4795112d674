import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReasoningTrace } from '@knowledgepulse/sdk';
import { createSecretScanner, type SecretScanner } from '@kp/curation';
import { importTraces } from '@kp/importers';
import type { Command } from 'commander';
import { renderMarkdown, renderTerminal } from '../results/tables.ts';
import { PLANTED_KINDS, plantingRandom } from '../secrets/planted-secrets.ts';

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

/** Measures how many planted secrets are found in recordings, and what is found in them as they are. */
export function addSecretsCommand(program: Command): void {
  program
    .command('secrets')
    .summary('measure what the scan for secrets finds')
    .description(
      'Plants secrets of 20 kinds in recorded runs and counts those that are found and masked; counts what is found in the same runs without them.',
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
  const random = plantingRandom();
  const found = new Map<string, number>();
  const masked = new Map<string, number>();
  for (const trace of traces) {
    for (const { kind, make } of PLANTED_KINDS) {
      const { secret, text } = make(random);
      const place = Math.floor(random() * trace.steps.length);
      const steps = trace.steps.map((step, index) =>
        index === place ? { ...step, content: insert(step.content ?? '', text, random) } : step,
      );
      const planted = { ...trace, steps };
      const scan = await scanner.scan(planted);
      const hit = scan.findings.some(({ path }) => path === `/steps/${place}/content`);
      if (hit) found.set(kind, (found.get(kind) ?? 0) + 1);
      if (!JSON.stringify(scan.mask(planted)).includes(JSON.stringify(secret).slice(1, -1))) {
        masked.set(kind, (masked.get(kind) ?? 0) + 1);
      }
    }
  }
  return {
    columns: [
      { heading: 'planted' },
      { heading: 'in traces', right: true },
      { heading: 'found', right: true },
      { heading: 'masked whole', right: true },
    ],
    rows: PLANTED_KINDS.map(({ kind }) => [
      kind,
      String(traces.length),
      share(found.get(kind) ?? 0, traces.length),
      share(masked.get(kind) ?? 0, traces.length),
    ]),
  };
}

/** At the end of a line, where runs show such things. */
function insert(content: string, text: string, random: () => number): string {
  const lines = content.split('\n');
  lines.splice(Math.floor(random() * (lines.length + 1)), 0, text);
  return lines.join('\n');
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
