import { describe, expect, it } from 'bun:test';
import type { ReasoningTrace } from '@kp/schema';
import fc from 'fast-check';
import { traceOf } from '../../test/traces.ts';
import { findWaste } from './waste.ts';

const call = (name: string, input: unknown): object => ({
  type: 'tool_call',
  tool: { name },
  input,
});
const sh = (command: string): object => call('bash', { command });
const result = (content: string, error?: string): object => ({
  type: 'observation',
  content,
  'kp:source': error === undefined ? {} : { error },
});
const edit = (file_path: string, old_string: string, new_string: string): object =>
  call('Edit', { file_path, old_string, new_string });
const run = (...steps: object[]): ReasoningTrace => traceOf('Do it', steps);

describe('repeated calls and results', () => {
  it('are listed by step, for any order of input fields', () => {
    const waste = findWaste(
      run(
        call('get', { id: 1, full: true }),
        result('order 1: paid'),
        call('get', { full: true, id: 1 }),
        result(' order 1: paid\n'),
        call('get', { id: 2, full: true }),
        call('find', { id: 1, full: true }),
      ),
    );
    expect(waste.repeatedCalls).toEqual([[0, 2]]);
    expect(waste.repeatedResults).toEqual([[1, 3]]);
    expect(waste.loops).toEqual([]);
  });

  it('count as a loop after three occurrences', () => {
    const waste = findWaste(run(sh('ls'), sh('pwd'), sh('ls'), { content: 'hm' }, sh('ls')));
    expect(waste.repeatedCalls).toEqual([[0, 2, 4]]);
    expect(waste.loops).toEqual([[0, 2, 4]]);
  });

  it('ignore results without words, and messages', () => {
    const silent = result('<returncode>0</returncode>\n<output>\n</output>');
    const user = { type: 'observation', content: 'yes please', 'kp:source': { role: 'user' } };
    const waste = findWaste(run(silent, silent, result('42'), result('42'), user, user));
    expect(waste.repeatedResults).toEqual([]);
  });

  it('distinguish inputs that are equal in JSON', () => {
    expect(findWaste(run(call('f', { n: 1n }), call('f', { n: 2n }))).repeatedCalls).toEqual([]);
    expect(findWaste(run(call('f', { n: 1n }), call('f', { n: 1n }))).repeatedCalls).toEqual([
      [0, 1],
    ]);
  });
});

describe('repeated calls', () => {
  it('must match in tool, input and content, not only in length', () => {
    const said = (content: string): object => ({ ...call('get', { id: 1 }), content });
    const waste = findWaste(
      run(call('get', { id: 1 }), call('get', { id: 2 }), call('put', { id: 1 }), said('a')),
    );
    expect(waste.repeatedCalls).toEqual([]);
    expect(findWaste(run(said('a'), said('b'), said('a'))).repeatedCalls).toEqual([[0, 2]]);
  });

  it('compare values as JSON, also those that write their own', () => {
    const at = new Date(0);
    const waste = findWaste(
      run(call('get', { at }), call('get', { at: at.toJSON() }), call('get', { at: 'now' })),
    );
    expect(waste.repeatedCalls).toEqual([[0, 1]]);
  });

  it('are found among many calls', () => {
    const ids = Array.from({ length: 60 }, (_, index) => index % 50);
    const waste = findWaste(run(...ids.map((id) => call('get', { id: `${id}` }))));
    const first = Array.from({ length: 10 }, (_, id) => [id, id + 50]);
    expect(waste.repeatedCalls).toEqual(first);
  });

  it('are in the order of their first calls', () => {
    const waste = findWaste(run(sh('b'), sh('aa'), sh('aa'), sh('b')));
    expect(waste.repeatedCalls).toEqual([
      [0, 3],
      [1, 2],
    ]);
  });

  it('agree with a comparison of all pairs of calls', () => {
    const calls = fc.array(
      fc.record({
        name: fc.constantFrom('f', 'g'),
        input: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom(1, '1', null, [1], 2n)),
      }),
    );
    fc.assert(
      fc.property(calls, (given) => {
        const same = given.flatMap((first, at) => {
          const group = given.flatMap((other, index) =>
            Bun.deepEquals(first, other) ? index : [],
          );
          return group.length > 1 && group[0] === at ? [group] : [];
        });
        const steps = given.map(({ name, input }) => call(name, input));
        expect(findWaste(run(...steps)).repeatedCalls).toEqual(same);
      }),
    );
  });
});

describe('reverted edits', () => {
  it.each([
    ['the opposite edit', [edit('a.py', 'x', 'y'), edit('a.py', 'y', 'x')], [[0, 1]]],
    ['another edit of the file', [edit('a.py', 'x', 'y'), edit('a.py', 'y', 'z')], []],
    ['the opposite edit of another file', [edit('a.py', 'x', 'y'), edit('b.py', 'y', 'x')], []],
    ['git checkout of the file', [edit('/r/a.py', 'x', 'y'), sh('git checkout -- a.py')], [[0, 1]]],
    ['git checkout of another file', [edit('a.py', 'x', 'y'), sh('git checkout -- b.py')], []],
    ['a new branch', [edit('a.py', 'x', 'y'), sh('git checkout -b fix')], []],
    ['git stash', [edit('a.py', 'x', 'y'), sh('git stash && pytest')], [[0, 1]]],
    ['git stash pop', [edit('a.py', 'x', 'y'), sh('git stash pop')], []],
    [
      'git reset --hard, of all edits',
      [edit('a.py', 'x', 'y'), edit('b.py', 'x', 'y'), sh('git reset --hard HEAD')],
      [
        [0, 2],
        [1, 2],
      ],
    ],
    [
      'undo in an editor, of the last edit of the file',
      [
        edit('a.py', 'x', 'y'),
        edit('a.py', 'p', 'q'),
        edit('b.py', 'x', 'y'),
        call('editor', { command: 'undo_edit', path: 'a.py' }),
      ],
      [[1, 3]],
    ],
    [
      'the opposite edit; reverting that again does not count twice',
      [edit('a.py', 'x', 'y'), edit('a.py', 'y', 'x'), edit('a.py', 'x', 'y')],
      [[0, 1]],
    ],
  ])('by %s', (_, steps, pairs) => {
    expect(findWaste(run(...steps)).revertedEdits).toEqual(
      pairs.map(([from, revertedBy]) => ({
        edit: from as number,
        revertedBy: revertedBy as number,
      })),
    );
  });
});

describe('unresolved errors', () => {
  it('are errors after which the same program did not succeed', () => {
    const waste = findWaste(
      run(
        sh('python a.py'),
        result('Traceback', 'exit_code'),
        sh('ls'),
        result('a.py'),
        sh('make'),
        result('no rule', 'exit_code'),
        sh('sudo python b.py'),
        result('fine'),
      ),
    );
    expect(waste.unresolvedErrors).toEqual([5]);
  });

  it('are assigned to their calls', () => {
    const paired = (step: object, call_id: string, error?: string): object => ({
      ...step,
      'kp:source': { call_id, error },
    });
    const waste = findWaste(
      run(
        paired(call('get', {}), 'a'),
        paired(call('put', {}), 'b'),
        paired(result('no'), 'a', 'flag'),
        paired(result('done'), 'b'),
      ),
    );
    expect(waste.unresolvedErrors).toEqual([2]);
  });
});

describe('the last change', () => {
  it.each([
    [call('update_reservation', { id: 1 }), true],
    [call('get_reservation', { id: 1 }), false],
    [call('returnItems', {}), true],
    [call('calculate', { expression: '1 > 0' }), false],
    [call('Write', { file_path: 'a.py', content: 'x' }), true],
    [call('str_replace_editor', { command: 'view', path: 'a.py' }), false],
    [call('str_replace_editor', { command: 'create', path: 'a.py', file_text: '' }), true],
    [sh("sed -i 's/a/b/' a.py"), true],
    [sh('sed -n 1,5p a.py'), false],
    [sh("cat > a.py << 'EOF'\nx\nEOF"), true],
    [sh('pytest 2>&1 | tail'), false],
    [sh('pytest > /dev/null'), false],
    [sh('cd src && git commit -m x'), true],
    [sh('git diff'), false],
    [sh('python -c "print(a > b)"'), false],
    [sh('[[ 2 >= 1 ]]'), false],
  ])('of %j: %p', (step, changes) => {
    expect(findWaste(run(step)).lastChange).toBe(changes ? 0 : undefined);
  });

  it('is followed by calls that change nothing', () => {
    const waste = findWaste(run(sh('rm a'), sh('ls'), { content: 'hm' }, sh('pwd'), result('x')));
    expect(waste).toMatchObject({ lastChange: 0, callsAfterLastChange: [1, 3] });
    expect(findWaste(run(sh('ls'))).callsAfterLastChange).toEqual([]);
  });
});

describe('findWaste', () => {
  it('identifies steps by step_id', () => {
    const steps = run(sh('ls'), sh('ls')).steps.map((step) => ({
      ...step,
      step_id: step.step_id + 7,
    }));
    expect(findWaste({ ...run(), steps }).repeatedCalls).toEqual([[7, 8]]);
  });

  it('accepts any valid trace', () => {
    const step = fc.record({
      type: fc.constantFrom('thought', 'tool_call', 'observation', 'error_recovery'),
      content: fc.option(fc.string(), { nil: undefined }),
      tool: fc.option(fc.record({ name: fc.string({ minLength: 1 }) }), { nil: undefined }),
      input: fc.option(
        fc.dictionary(fc.constantFrom('command', 'path', 'old', 'new'), fc.jsonValue()),
        {
          nil: undefined,
        },
      ),
      'kp:source': fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const waste = findWaste(run(...steps));
        const known = new Set(steps.keys());
        for (const group of [...waste.repeatedCalls, ...waste.repeatedResults]) {
          expect(group.length).toBeGreaterThan(1);
          expect(group.every((id) => known.has(id))).toBe(true);
        }
        expect(waste.loops.every((loop) => waste.repeatedCalls.includes(loop))).toBe(true);
      }),
    );
  });
});
