import { describe, expect, it } from 'bun:test';
import { createKeyHash } from './key-hash.ts';
import { type MemoryOptions, resolveOptions } from './options.ts';
import { checkNamespace, newNamespace } from './stored-namespace.ts';

const embedder = { id: 'test/8', dimensions: 8 };

describe('resolveOptions', () => {
  it('uses the fixed options of the namespace and defaults for the rest', () => {
    const { onWarning, ...resolved } = resolveOptions();
    expect(resolved).toEqual({
      embedder: undefined,
      namespace: 'default',
      maxElements: undefined,
      maxNamespaces: Infinity,
      ttlMs: undefined,
      index: undefined,
      hashKeys: undefined,
      timeoutMs: 5000,
      maxPending: 10_000,
    });
    expect(onWarning({ code: 'MEMORY_RETRIED', message: 'x' })).toBeUndefined();
  });

  it.each([
    { embedder },
    { embedder: { id: 'x', dimensions: 1 } },
    { namespace: 'x'.repeat(200) },
    { hashKeys: 'x'.repeat(16) },
    { maxElements: 1 },
    { ttlMs: 0.5 },
    { ttlMs: Infinity },
    { timeoutMs: 0.5 },
    { maxPending: 1 },
    { index: 'log' },
  ] as MemoryOptions[])('accepts %j unchanged', (options) => {
    expect(resolveOptions(options)).toMatchObject(options);
  });

  it.each([
    [
      { embedder: { id: '', dimensions: 8 } },
      'embedder.id: expected well-formed text that is not empty, without NUL, received ""',
    ],
    [
      { embedder: { id: 7, dimensions: 8 } },
      'embedder.id: expected well-formed text that is not empty, without NUL, received 7',
    ],
    [
      { embedder: { id: 'x', dimensions: 0 } },
      'embedder.dimensions: expected an integer from 1 to 65536, received 0',
    ],
    [
      { embedder: { id: 'x', dimensions: 1.5 } },
      'embedder.dimensions: expected an integer from 1 to 65536, received 1.5',
    ],
    [
      { namespace: 'a\u0000b' },
      'namespace: expected well-formed text of 1 to 200 characters without NUL',
    ],
    [
      { namespace: 'a\ud83d' },
      'namespace: expected well-formed text of 1 to 200 characters without NUL',
    ],
    [
      { namespace: '' },
      'namespace: expected well-formed text of 1 to 200 characters without NUL, received ""',
    ],
    [
      { namespace: 'x'.repeat(201) },
      'namespace: expected well-formed text of 1 to 200 characters without NUL',
    ],
    [
      { namespace: 5 },
      'namespace: expected well-formed text of 1 to 200 characters without NUL, received 5',
    ],
    [
      { hashKeys: 'x'.repeat(15) },
      'hashKeys: expected a secret of at least 16 characters, received one of 15',
    ],
    [
      { hashKeys: new Array(20) },
      'hashKeys: expected a secret of at least 16 characters, received type object',
    ],
    [
      { namspace: 'tenant-a' },
      'options: expected one of embedder, namespace, maxElements, maxNamespaces, ttlMs, index, ' +
        'hashKeys, timeoutMs, maxPending, onWarning, received "namspace"; did you mean namespace?',
    ],
    [{ embedder: null }, 'embedder: expected an object, received null'],
    [{ ttlMs: '60000' }, 'ttlMs: expected milliseconds above 0, received "60000"'],
    [{ timeoutMs: '5000' }, 'timeoutMs: expected milliseconds above 0, received "5000"'],
    [{ onWarning: 'log' }, 'onWarning: expected a function, received "log"'],
    [{ maxElements: 0 }, 'maxElements: expected an integer from 1, received 0'],
    [{ maxElements: '5' }, 'maxElements: expected an integer from 1, received "5"'],
    [{ ttlMs: 0 }, 'ttlMs: expected milliseconds above 0, received 0'],
    [{ ttlMs: Number.NaN }, 'ttlMs: expected milliseconds above 0, received NaN'],
    [{ timeoutMs: 0 }, 'timeoutMs: expected milliseconds above 0, received 0'],
    [{ maxPending: 0 }, 'maxPending: expected an integer from 1, received 0'],
    [{ index: 'hnsw' }, 'index: expected log with this engine, received "hnsw"'],
  ])('rejects %j', (options, message) => {
    const refused = () => resolveOptions(options as MemoryOptions);
    expect(refused).toThrow(message);
    expect(refused).toThrow(expect.objectContaining({ code: 'MEMORY_OPTION_INVALID' }));
  });

  it.each([[null], ['own'], [[]]])('rejects %j as options', (options) => {
    expect(() => resolveOptions(options as never)).toThrow('options: expected an object, received');
  });

  it('accepts the further options of an engine', () => {
    const options = { synchronous: 'full' };
    expect(() => resolveOptions(options as object, ['log'], { synchronous: true })).not.toThrow();
  });

  it('accepts the indexes of an engine', () => {
    const indexes = ['log', 'hnsw'] as const;
    expect(resolveOptions({ index: 'hnsw' }, indexes).index).toBe('hnsw');
    expect(() => resolveOptions({ index: 'flat' as 'log' }, indexes)).toThrow(
      'index: expected log or hnsw, received "flat"',
    );
  });
});

describe('newNamespace', () => {
  it('has 100,000 entries of any age by default', () => {
    expect(newNamespace(resolveOptions({ embedder }), '')).toEqual({
      namespace: 'default',
      embedderId: 'test/8',
      dimensions: 8,
      maxElements: 100_000,
      ttlMs: Infinity,
      keyCheck: '',
    });
    const bounds = { embedder, namespace: 'own', maxElements: 3, ttlMs: 7 };
    expect(newNamespace(resolveOptions(bounds), 'check')).toMatchObject({
      namespace: 'own',
      maxElements: 3,
      ttlMs: 7,
      keyCheck: 'check',
    });
  });

  it('cannot be created without an embedder', () => {
    expect(() => newNamespace(resolveOptions({ namespace: 'own' }), '')).toThrow(
      'namespace "own": expected an existing memory, received a name that does not exist; name an embedder to create it',
    );
  });
});

describe('checkNamespace', () => {
  const stored = newNamespace(resolveOptions({ embedder, maxElements: 3, ttlMs: 7 }), 'check');
  const checked =
    (options: MemoryOptions, keyCheck = 'check', space = stored) =>
    () =>
      checkNamespace(space, resolveOptions(options), keyCheck);

  it('accepts omitted and equal options', () => {
    expect(checked({})).not.toThrow();
    expect(checked({ embedder, maxElements: 3, ttlMs: 7 })).not.toThrow();
  });

  it.each([
    [
      { embedder: { ...embedder, id: 'x' } },
      'embedder: expected x, received test/8; use the embedder that filled it, or convert it with kp memory migrate OLD RUNS… --embedder NAME --into NEW, which needs the recorded runs because a memory has no texts, or choose another namespace',
    ],
    [
      { embedder: { ...embedder, dimensions: 9 } },
      'dimensions: expected 9, received 8; use its embedder, or choose another namespace',
    ],
    [
      { maxElements: 4 },
      'maxElements: expected 4, received 3; leave it out, or choose another namespace: all processes of a memory use the same limits',
    ],
    [
      { ttlMs: 8 },
      'ttlMs: expected 8, received 7; leave it out, or choose another namespace: all processes of a memory use the same limits',
    ],
  ])('rejects %j', (options, message) => {
    expect(checked(options)).toThrow(`namespace "default", ${message}`);
    expect(checked(options)).toThrow(expect.objectContaining({ code: 'MEMORY_MISMATCH' }));
  });

  it.each([
    [{ embedderId: '' }, 'embedder: expected a string that is not empty, received ""'],
    [{ embedderId: null }, 'embedder: expected a string that is not empty, received null'],
    [{ dimensions: 0 }, 'dimensions: expected an integer from 1 to 65536, received 0'],
    [{ dimensions: 65_537 }, 'dimensions: expected an integer from 1 to 65536, received 65537'],
    [{ maxElements: 0.5 }, 'maxElements: expected an integer from 1, received 0.5'],
    [{ maxElements: null }, 'maxElements: expected an integer from 1, received null'],
    [{ ttlMs: 0 }, 'ttlMs: expected milliseconds above 0, received 0'],
    [{ ttlMs: 'soon' }, 'ttlMs: expected milliseconds above 0, received "soon"'],
    [{ keyCheck: null }, 'keys: expected text, received null'],
  ])('rejects a namespace with the impossible options %j', (damage, message) => {
    const damaged = { ...stored, ...damage } as typeof stored;
    expect(checked({}, 'check', damaged)).toThrow(`namespace "default", ${message}; restore`);
    expect(checked({}, 'check', damaged)).toThrow(
      expect.objectContaining({ code: 'MEMORY_DAMAGED' }),
    );
  });

  it('accepts vectors of the maximum length', () => {
    const longest = { ...stored, dimensions: 65_536 };
    expect(checked({}, 'check', longest)).not.toThrow();
    expect(checked({}, 'check', { ...stored, ttlMs: 0.5 })).not.toThrow();
  });

  it('rejects a different, a superfluous and a missing secret', () => {
    const plain = { ...stored, keyCheck: '' };
    const subject = 'namespace "default", keys: expected';
    expect(checked({}, '')).toThrow(
      `${subject} not hashed, received hashed with another secret, or with one`,
    );
    expect(checked({}, 'other')).toThrow(
      `${subject} hashed with this secret, received hashed with another secret, or with one`,
    );
    expect(checked({}, 'check', plain)).toThrow(
      `${subject} hashed with this secret, received not hashed; set hashKeys as when it was created`,
    );
    expect(checked({}, '', plain)).not.toThrow();
  });
});

describe('createKeyHash', () => {
  it('hashes keys only if a secret is given', () => {
    const plain = createKeyHash(undefined);
    expect([plain.check, plain.of('a')]).toEqual(['', 'a']);
    const [one, other] = [createKeyHash('secret one'), createKeyHash('secret two')];
    expect(one.check).toMatch(/^[\w-]{16}$/);
    expect(one.check).not.toBe(other.check);
    expect(one.of('a')).toMatch(/^[\w-]{43}$/);
    expect(new Set([one.of('a'), one.of('b'), other.of('a')]).size).toBe(3);
    expect(createKeyHash('secret one').of('a')).toBe(one.of('a'));
  });
});
