// Frameworks with fake models in empty projects: those that the tests of packages/integrations do not
// have, and the oldest versions that it names. Run by scripts/nightly.ts.
import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findNode } from '@kp/testing/node';
import { outputOf } from '@kp/testing/run-command';
import { createProject, packAll } from '../packed-project.ts';

const tarballs = await packAll();
const EXPLANATION = expect.stringMatching(/^0\.100 by the weights of default: .*; single thought/);

/** An empty project with our tarballs, these packages and the programs, while the tests run. */
function useProject(
  dependencies: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): { folder: string } {
  const project = { folder: '' };
  beforeAll(async () => {
    const all = { '@kp/integrations': '*', '@kp/scoring': '*', zod: '4.6.7', ...dependencies };
    project.folder = await createProject(tarballs, all, 'npm', flags);
    await cp(join(import.meta.dir, 'frameworks'), project.folder, { recursive: true });
  }, 300_000);
  afterAll(() => rm(project.folder, { recursive: true, force: true }));
  return project;
}

/** What the last line of a program's output says. */
async function answerOf({ folder }: { folder: string }, program: string): Promise<unknown> {
  const output = await outputOf([await findNode(), program], { cwd: folder });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

describe('the newest', () => {
  const project = useProject({
    '@mastra/core': '1.71.0',
    ai: '5.0.0',
    autoevals: '0.3.0',
    braintrust: '3.35.0',
    evalite: '0.19.0',
    langsmith: '0.12.0',
    vitest: '4.1.0',
  });

  it('@mastra/core 1.71 scores a run of an agent', async () => {
    expect(await answerOf(project, 'mastra.mjs')).toEqual({ score: 0.1, reason: EXPLANATION });
  });

  it('braintrust 3.35 evaluates in parallel, beside a scorer of autoevals 0.3', async () => {
    const scores = { knowledgepulse: 0.1, ExactMatch: 1 };
    expect(await answerOf(project, 'braintrust.mjs')).toEqual([scores, scores, scores]);
  });

  it('langsmith 0.12 evaluates without its server', async () => {
    expect(await answerOf(project, 'langsmith.mjs')).toEqual([
      [expect.objectContaining({ key: 'knowledgepulse', score: 0.1, comment: EXPLANATION })],
    ]);
  });

  it('evalite 0.19 runs an evaluation', async () => {
    expect(await answerOf(project, 'evalite.mjs')).toMatchObject([
      [{ name: 'knowledgepulse', score: 0.1, metadata: { explanation: EXPLANATION } }],
    ]);
  });
});

describe('the oldest', () => {
  const project = useProject({ '@openai/agents': '0.2.0', '@langchain/core': '0.3.0' });

  it('@openai/agents 0.2.0 gives a trace, and live what its spans hold', async () => {
    expect(await answerOf(project, 'openai-agents.mjs')).toEqual({
      objective: 'When does the ferry leave?',
      steps: ['tool_call', 'observation', 'thought'],
      live: [2],
    });
  });

  it('@langchain/core 0.3.0 gives a trace, and live its run', async () => {
    expect(await answerOf(project, 'langchain.mjs')).toEqual({
      live: [['When does the ferry leave?', 1]],
      steps: ['tool_call', 'thought'],
    });
  });
});

describe('a missing peer', () => {
  const project = useProject({});

  it('is told once with what to install, and costs no score', async () => {
    expect(await answerOf(project, 'missing-peer.mjs')).toEqual({
      scores: 2,
      errors: [
        expect.stringMatching(/^DEPENDENCY_MISSING .*npm install @opentelemetry\/api @opent/),
      ],
    });
  });
});

// Its command line, 400 MB, is an optional package and stays out.
describe.each(['0.1.77', '0.3.330'])('@anthropic-ai/claude-agent-sdk %s', (version) => {
  const dependencies = { '@anthropic-ai/claude-agent-sdk': version, typescript: '5.9.3' };
  const project = useProject(dependencies, ['--omit=optional']);

  it('has the messages that are read', async () => {
    const compiler = ['node_modules/typescript/bin/tsc', '--noEmit', '--strict', '--skipLibCheck'];
    const target = ['--target', 'es2022', '--module', 'nodenext'];
    await outputOf([await findNode(), ...compiler, ...target, 'claude-agent.ts'], {
      cwd: project.folder,
    });
  });
});
