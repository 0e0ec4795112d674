import { beforeAll, describe, expect, it } from 'bun:test';
import { type ReasoningTrace, safeParseTrace } from '@kp/schema';
import { createSecretScanner, type SecretScanner } from './secret-scanner.ts';
import { isCodePlace, prescribedLength } from './trace-vocabulary.ts';

let scanner: SecretScanner;
beforeAll(async () => {
  scanner = await createSecretScanner();
});

function traceWith(content: string, input: Record<string, unknown> = {}): ReasoningTrace {
  return {
    '@context': 'https://openknowledgepulse.org/schema/v1',
    '@type': 'ReasoningTrace',
    id: 'kp:trace:a',
    metadata: {
      created_at: '2026-03-02T09:30:00Z',
      task_domain: 'finance',
      success: true,
      quality_score: 0,
      visibility: 'network',
      privacy_level: 'aggregated',
    },
    task: { objective: 'Sum the list' },
    steps: [
      { step_id: 0, type: 'tool_call', tool: { name: 'grep' }, input },
      { step_id: 1, type: 'observation', content, 'kp:source': { role: 'user' } },
    ],
    outcome: { result_summary: 'done', confidence: 0.9 },
    'kp:provenance': { format: 'openai-chat', success: 'recorded', source: { run: 'a' } },
    'kp:score': { profile: 'finance', dimensions: { novelty: 0.5 } },
  };
}

describe('a mask and the names and constants of a trace', () => {
  it.each([
    'content',
    'input',
    'steps',
    'trace',
    'finance',
    'metadata',
    'network',
    'observation',
    'tool_call',
    'ReasoningTrace',
    'provenance',
    'recorded',
    'novelty',
  ])('leaves them alone if %p is the name of a user', async (name) => {
    const trace = traceWith(`ls /home/${name}/x`);
    const masked = (await scanner.scan(trace)).mask(trace);
    expect(masked).toEqual(traceWith('ls /home/[user-name-in-path-1]/x'));
    expect(safeParseTrace(masked).success).toBe(true);
  });

  it('leaves them alone if they are a password', async () => {
    const trace = traceWith('x', { password: 'observation' });
    expect((await scanner.scan(trace)).mask(trace)).toEqual(
      traceWith('x', { password: '[assigned-secret-1]' }),
    );
  });

  it('masks the same words among names and values that a recording chooses', async () => {
    const trace = traceWith('/home/content', { content: 'of content', a: [{ content: 1 }] });
    const mark = '[user-name-in-path-1]';
    expect((await scanner.scan(trace)).mask(trace)).toEqual(
      traceWith(`/home/${mark}`, { [mark]: `of ${mark}`, a: [{ [mark]: 1 }] }),
    );
  });

  it('reports nothing in them, but the rest of an id and a domain', async () => {
    const own = await createSecretScanner({ names: ['Trace', 'Steps', 'Network', 'Finance'] });
    const trace = { ...traceWith('kp:trace:b'), id: 'kp:trace:trace' };
    const scan = await own.scan(trace);
    expect(scan.findings.map(({ path, start, end }) => [path, start, end])).toEqual([
      ['/id', 9, 14],
      ['/metadata/task_domain', 0, 7],
      ['/steps/1/content', 3, 8],
      ['/kp:score/profile', 0, 7],
    ]);
    const masked = scan.mask(trace);
    expect(masked.id).toStartWith('kp:trace:[person-name-1]');
    expect(masked.metadata.visibility).toBe('network');
  });

  it('keeps the prefix of the id of another trace', async () => {
    const trace = traceWith('cd /home/trace: see kp:trace:b and trace');
    const masked = (await scanner.scan(trace)).mask(trace);
    expect(masked.steps[1]?.content).toBe(
      'cd /home/[user-name-in-path-1]: see kp:trace:b and [user-name-in-path-1]',
    );
  });

  it('masks two names of one object', async () => {
    const own = await createSecretScanner({ patterns: [{ kind: 'short', pattern: /^x\d$/g }] });
    const trace = traceWith('a', { x1: 1, x2: 2 });
    expect((await own.scan(trace)).mask(trace)).toEqual(
      traceWith('a', { '[short-1]': 1, '[short-2]': 2 }),
    );
  });
});

describe('prescribedLength', () => {
  it.each([
    [['(name)'], 'steps', 5],
    [['(name)'], 'step', 0],
    [['(name)'], 'kp:score', 8],
    [['(name)'], 'constructor', 0],
    [['steps', '0', '(name)'], 'content', 7],
    [['steps', '0', 'input', '(name)'], 'content', 0],
    [['steps', '(name)'], '12', 0],
    [['steps', '0', 'kp:source', '(name)'], 'role', 4],
    [['steps', '0', 'type'], 'thought', 7],
    [['steps', '0', 'type'], 'dream', 0],
    [['steps', '0', 'content'], 'thought', 0],
    [['@type'], 'ReasoningTrace', 14],
    [['id'], 'kp:trace:a', 9],
    [['id'], 'a', 0],
    [[], 'a', 0],
  ])('of %j with %p is %p', (path, text, length) => {
    expect(prescribedLength(path, text)).toBe(length);
  });
});

describe('isCodePlace', () => {
  it.each([
    [['metadata', 'task_domain'], true],
    [['kp:score', 'profile'], true],
    [['kp:provenance', 'success'], true],
    [['kp:provenance', 'derived', '0', 'value'], true],
    [['kp:provenance', 'source', 'run'], false],
    [['task', 'objective'], false],
    [['metadata', 'agent_id'], false],
  ])('of %j is %p', (path, expected) => {
    expect(isCodePlace(path)).toBe(expected);
  });
});
