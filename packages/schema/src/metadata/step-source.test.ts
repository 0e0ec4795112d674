import { describe, expect, it } from 'bun:test';
import {
  readStepSource,
  STEP_SOURCE_KEY,
  type StepSource,
  writeStepSource,
} from './step-source.ts';

describe('readStepSource', () => {
  it('returns what was written', () => {
    const source: StepSource = {
      call_id: 'c1',
      role: 'user',
      error: 'exit_code',
      feedback: 'rejected',
      orphan: true,
    };
    const step = { step_id: 0, type: 'observation' };
    writeStepSource(step, source);
    expect(readStepSource(step)).toEqual(source);
  });

  it('omits fields with invalid values', () => {
    const step = {
      [STEP_SOURCE_KEY]: { call_id: 1, role: null, error: 'loud', feedback: 'no', orphan: 'yes' },
    };
    expect(readStepSource(step)).toEqual({});
  });

  it.each([[null], ['user'], [undefined]])('returns undefined for %j', (value) => {
    expect(readStepSource({ [STEP_SOURCE_KEY]: value })).toBeUndefined();
  });

  it('writes no source without fields', () => {
    const step = {};
    writeStepSource(step, {});
    expect(step).toEqual({});
  });
});
