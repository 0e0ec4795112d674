import { expect, it } from 'bun:test';
import manifest from '../package.json' with { type: 'json' };
import { VERSION } from './output/version.ts';

it('equals the version of the package', () => {
  expect(VERSION).toBe(manifest.version);
});
