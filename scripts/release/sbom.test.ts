import { describe, expect, it } from 'bun:test';
import { checkBillOfMaterials } from './sbom.ts';

const DIGEST = 'ab'.repeat(64);
const PACKAGES = [
  {
    name: '@kp/foundation',
    version: '0.1.0',
    integrity: `sha512-${Buffer.from(DIGEST, 'hex').toString('base64')}`,
  },
];
const component = {
  name: 'foundation',
  version: '0.1.0',
  purl: 'pkg:npm/%40kp/foundation@0.1.0',
  licenses: [{ license: { id: 'MIT' } }],
  externalReferences: [{ type: 'distribution', hashes: [{ alg: 'SHA-512', content: DIGEST }] }],
};
const dependencies = [{ ref: 'a' }, { ref: 'b' }, { ref: 'c' }];
const billOf = (changes: object): string =>
  JSON.stringify({
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', components: [component], dependencies },
    ...changes,
  });

describe('checkBillOfMaterials', () => {
  it('counts the packages of a bill of materials for the published packages', () => {
    expect(checkBillOfMaterials(billOf({}), PACKAGES)).toBe(1);
  });

  it.each([
    ['another format', { bomFormat: 'SPDX' }, 'expected CycloneDX 1.6, received SPDX 1.6'],
    ['a package that is missing', { components: [] }, 'received no such package'],
    [
      'other bytes',
      { components: [{ ...component, externalReferences: [] }] },
      `expected SHA-512 ${DIGEST} of pkg:npm/%40kp/foundation@0.1.0, received []`,
    ],
    [
      'a package without a licence',
      { components: [{ ...component, licenses: [] }] },
      'expected version, address and licence of foundation',
    ],
    ['no dependencies', { dependencies: [] }, 'expected the dependencies of each package'],
  ])('refuses %s', (_, changes, message) => {
    expect(() => checkBillOfMaterials(billOf(changes), PACKAGES)).toThrow(message);
  });
});
