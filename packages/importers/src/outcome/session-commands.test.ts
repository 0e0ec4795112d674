import { describe, expect, it } from 'bun:test';
import { isCommit, isEditingCommand, isTestRun, readTestResult } from './session-commands.ts';

describe('isTestRun', () => {
  it.each([
    'pytest -q tests',
    'cd app && npm test -- --watch=false',
    'CI=1 npx vitest run | tail -20',
    'bash -lc cargo test',
    'python -m unittest',
    'timeout 60 go test ./...',
  ])('recognises %j', (command) => expect(isTestRun(command)).toBe(true));

  it.each(['echo "npm test"', 'cat pytest.ini', 'git commit -m "run pytest"', 'npm install'])(
    'does not recognise %j as tests',
    (command) => expect(isTestRun(command)).toBe(false),
  );
});

describe('readTestResult', () => {
  it.each([
    ['pytest', '===== 5 passed, 1 skipped in 0.12s ====='],
    ['bun', ' 12 pass\n 0 fail\nRan 12 tests across 2 files.'],
    ['vitest, in colours', '\u001b[2m      Tests \u001b[22m \u001b[32m3 passed\u001b[39m (3)'],
    ['cargo', 'test result: ok. 4 passed; 0 failed; 0 ignored'],
    ['go', 'ok  \texample.com/app\t0.003s'],
    ['mocha', '  7 passing (20ms)'],
  ])('reads success from the output of %s', (_, output) => {
    expect(readTestResult(output)).toMatchObject({ passed: true });
  });

  it.each([
    '==== 1 failed, 4 passed in 1s ====',
    ' 11 pass\n 1 fail',
    'Tests:       1 failed, 3 passed, 4 total',
    'test result: FAILED. 3 passed; 1 failed',
    '--- FAIL: TestX (0.00s)',
    'collected 0 items',
  ])('reads failure from %j', (output) => {
    expect(readTestResult(output)).toMatchObject({ passed: false });
  });

  it('returns undefined for an output without a summary', () => {
    expect(readTestResult('0 passed')).toBeUndefined();
    expect(readTestResult('Killed')).toBeUndefined();
  });
});

describe('isCommit', () => {
  const output = '[main (root-commit) 1a2b3c4] Fix\n 1 file changed';

  it("reads git's confirmation line, even for a message in a here-document", () => {
    const command = 'git add . && git commit -m "$(cat <<\'EOF\'\nFix | it\nEOF\n)"';
    expect(isCommit(command, output)).toBe('[main (root-commit) 1a2b3c4] Fix');
    expect(isCommit('git status', output)).toBeUndefined();
    expect(isCommit(command, 'nothing to commit, working tree clean')).toBeUndefined();
  });
});

describe('isEditingCommand', () => {
  it.each(['sed -i s/a/b/ x', 'echo a > b', 'npm install', 'git reset --hard', 'rm x'])(
    'recognises %j as a command that may change files',
    (command) => expect(isEditingCommand(command)).toBe(true),
  );

  it.each(['git diff', 'ls 2>/dev/null | head', 'pytest 2>&1 | tail', 'git commit -m "a > b"'])(
    'recognises %j as a command that changes no files',
    (command) => expect(isEditingCommand(command)).toBe(false),
  );
});
