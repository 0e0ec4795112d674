// Preloaded into Node: writes the packages of which code was loaded, as JSON, to standard error.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const packages = new Set();

/** @param path - path of a module, or of its source in the comment before its code in a bundle. */
function add(path) {
  const installed = path.split('/node_modules/').slice(1).at(-1);
  const ours = path.match(/\/packages\/([\w-]+)\//)?.[1];
  if (installed !== undefined) packages.add(installed.match(/^(?:@[^/]+\/)?[^/]+/)[0]);
  else if (ours !== undefined) packages.add(`our ${ours}`);
}

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (!resolved.url.startsWith('file:')) return resolved;
    add(resolved.url);
    const code = readFileSync(fileURLToPath(resolved.url), 'utf8');
    for (const [, source] of code.matchAll(/^\/\/ (\.\.\/\S+\.(?:[cm]?js|ts))$/gm)) add(source);
    return resolved;
  },
});
process.on('exit', () => console.error(JSON.stringify([...packages].sort())));
