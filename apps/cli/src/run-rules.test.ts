import { describe, expect, it } from 'bun:test';
import type { RunFacts } from '@kp/importers';
import { collectDomains, domainRuleOf, parseSuccessRule } from './run-rules.ts';

const run = (facts: Partial<RunFacts>): RunFacts => ({
  format: 'openai-chat',
  source: {},
  objective: undefined,
  tools: [],
  record: null,
  ...facts,
});

describe('domainRuleOf', () => {
  it('takes the first rule whose tool the run calls, else the domain for all', () => {
    const domain = domainRuleOf(['support', 'bash=code', 'book_*=travel']);
    expect(domain(run({ tools: ['search', 'book_flight'] }))).toBe('travel');
    expect(domain(run({ tools: ['book_flight', 'bash'] }))).toBe('code');
    expect(domain(run({ tools: ['bashful'] }))).toBe('support');
    expect(domainRuleOf(['bash=code'])(run({}))).toBeUndefined();
  });

  it('takes letters that mean something in patterns as they are', () => {
    expect(domainRuleOf(['a.b=x'])(run({ tools: ['aXb'] }))).toBeUndefined();
    expect(domainRuleOf(['a.b(*)=x'])(run({ tools: ['a.b(1)'] }))).toBe('x');
  });

  it.each(['', '=code', 'bash='])('refuses %j', (word) => {
    expect(() => collectDomains(word)).toThrow('expected a domain, or tool=domain');
  });
});

describe('parseSuccessRule', () => {
  it('compares a field of the recording, by a path with dots', () => {
    const rule = parseSuccessRule('info.exit_status=submitted');
    expect(rule(run({ record: { info: { exit_status: 'submitted' } } }))).toBe(true);
    expect(rule(run({ record: { info: { exit_status: 'crashed' } } }))).toBe(false);
    expect(rule(run({ record: { info: null } }))).toBe(false);
    expect(parseSuccessRule('reward=1')(run({ record: { reward: 1 } }))).toBe(true);
    expect(parseSuccessRule('ok=a=b')(run({ record: { ok: 'a=b' } }))).toBe(true);
  });

  it('does not look at what every object has', () => {
    expect(parseSuccessRule('constructor.name=Object')(run({ record: {} }))).toBe(false);
  });

  it('refuses a word without a field', () => {
    expect(() => parseSuccessRule('=1')).toThrow('expected FIELD=VALUE');
  });
});
