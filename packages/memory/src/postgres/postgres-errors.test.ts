import { describe, expect, it } from 'bun:test';
import { MemoryStoreError } from '../errors.ts';
import { TransientError } from '../log/log.ts';
import { explainPostgres, SpaceGoneError } from './postgres-errors.ts';

const failure = (code: string): Error => Object.assign(new Error('refused'), { code });

describe('explainPostgres', () => {
  it('leaves what explains itself', () => {
    const facts = { code: 'MEMORY_FULL', subject: 's', expected: 'e', received: 'r' } as const;
    for (const error of [new TransientError('lost'), new MemoryStoreError(facts)]) {
      expect(explainPostgres(error)).toBe(error);
    }
  });

  it('knows what the functions of the schema raise', () => {
    const gone = failure('KP003');
    expect(explainPostgres(gone)).toBeInstanceOf(SpaceGoneError);
    expect(explainPostgres(gone)).toMatchObject({ message: 'no namespace', cause: gone });
    const passing = failure('KP005');
    expect(explainPostgres(passing)).toBeInstanceOf(TransientError);
    expect(explainPostgres(passing)).toMatchObject({ message: 'refused', cause: passing });
  });

  it.each(['53100', '53200'])('says that the server is full: %s', (code) => {
    const cause = failure(code);
    expect(explainPostgres(cause)).toMatchObject({
      code: 'MEMORY_FULL',
      cause,
      message:
        'postgres: expected room on the server, received refused; make room; ' +
        'nothing of this call was remembered',
    });
  });

  it.each(['28P01', '53300', '42501'])('says what to see to: %s', (code) => {
    expect(explainPostgres(failure(code))).toMatchObject({
      code: 'MEMORY_UNAVAILABLE',
      message:
        'postgres: expected Postgres 15 or later, a role that may create the schema kp_memory, or use ' +
        'it, received refused; see to the address, the password and the rights of the role',
    });
  });
});
