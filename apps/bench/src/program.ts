import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  type BenchCommand,
  type Findings,
  type Option,
  UsageError,
} from './command/define-command.ts';
import { describeMachine, renderMarkdown, renderTerminal } from './results/tables.ts';

interface Entry {
  readonly summary: string;
  /** Commands are loaded when they run: some load native libraries. */
  readonly load: () => Promise<{ readonly command: BenchCommand }>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  check: {
    summary: 'enforce the latency table',
    load: () => import('./enforced/check-command.ts'),
  },
  run: { summary: 'measure everything', load: () => import('./suite/run-command.ts') },
  compare: {
    summary: 'compare the working tree with another revision',
    load: () => import('./compare/compare-command.ts'),
  },
  vector: {
    summary: 'compare the vector cache with other libraries',
    load: () => import('./vector/vector-command.ts'),
  },
  memory: {
    summary: 'compare durable memories with the raw engines',
    load: () => import('./memory/memory-command.ts'),
  },
  soak: {
    summary: 'check that a million evaluations take constant memory and time',
    load: () => import('./memory/soak-command.ts'),
  },
  curation: {
    summary: 'time the similarity graph and the selection of a corpus',
    load: () => import('./curation/curation-command.ts'),
  },
  coverage: {
    summary: 'measure how many tasks a selection covers',
    load: () => import('./curation/coverage-command.ts'),
  },
  corpus: {
    summary: 'measure selections from shards of a corpus',
    load: () => import('./corpus/corpus-command.ts'),
  },
  novelty: {
    summary: 'measure how well novelty separates new tasks from repeated ones',
    load: () => import('./novelty/novelty-command.ts'),
  },
  outcomes: {
    summary: 'measure methods for runs without an outcome',
    load: () => import('./outcomes/outcomes-command.ts'),
  },
  'common-words': {
    summary: 'build the table of common words of the lexical embedder',
    load: () => import('./novelty/common-words.ts'),
  },
  secrets: {
    summary: 'measure how many secrets the scan finds',
    load: () => import('./secrets/secrets-command.ts'),
  },
  throughput: {
    summary: 'time kp score on a large file, compared with JSON.parse',
    load: () => import('./throughput/throughput-command.ts'),
  },
  live: {
    summary: 'measure what live scoring costs an agent',
    load: () => import('./live/bench-live.ts'),
  },
};

/** Options of every command. */
const COMMON: Readonly<Record<string, Option>> = {
  json: { type: 'string', about: 'write the figures to a file' },
  markdown: { type: 'boolean', about: 'print tables as Markdown' },
  help: { type: 'boolean', about: 'show this help' },
};

/** Runs the command line and returns the exit code: 2 for incorrect use. */
export async function runCommandLine([name = 'run', ...words]: readonly string[]): Promise<number> {
  if (name === '--help' || name === 'help') {
    console.log(usage());
    return 0;
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    console.error(`bench: expected a command, received ${name}\n\n${usage()}`);
    return 2;
  }
  const { command } = await entry.load();
  try {
    const { positionals, values } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { ...command.options, ...COMMON },
    });
    if (values.help === true) {
      console.log(commandUsage(name, command));
      return 0;
    }
    if (command.operands === '' && positionals.length > 0) {
      throw new UsageError('operands', 'none', positionals.join(' '));
    }
    const findings = await command.run(positionals, values);
    print(findings, values.markdown === true);
    if (typeof values.json === 'string') {
      const document = { machine: describeMachine(), ...findings.document };
      await writeFile(values.json, `${JSON.stringify(document, null, 1)}\n`);
    }
    return findings.exitCode ?? 0;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Internal errors have no code; rethrow them with their stack.
    if (code === undefined) throw error;
    const isWrongUse = error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS');
    const explanation = isWrongUse ? `\n\n${commandUsage(name, command)}` : '';
    console.error(`bench ${name}: ${message}${explanation}`);
    return isWrongUse ? 2 : 1;
  }
}

function print({ parts }: Findings, markdown: boolean): void {
  const render = markdown ? renderMarkdown : renderTerminal;
  const texts = parts.map((part) => (typeof part === 'string' ? part : render(part)));
  console.log([...texts.filter((text) => text !== ''), describeMachine()].join('\n\n'));
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => {
    return `  ${name.padEnd(12)} ${summary}`;
  });
  return `bench [COMMAND]\n\n${lines.join('\n')}\n\nbench COMMAND --help describes a command.`;
}

function commandUsage(name: string, { description, operands, options }: BenchCommand): string {
  const all = Object.entries({ ...options, ...COMMON });
  const width = Math.max(...all.map(([option]) => option.length));
  const lines = all.map(([option, { about, default: fallback }]) => {
    const suffix = fallback === undefined ? '' : ` (default: ${fallback})`;
    return `  --${option.padEnd(width)}  ${about}${suffix}`;
  });
  return `bench ${name} ${operands} [OPTIONS]\n\n${description}\n\n${lines.join('\n')}`;
}
