// Preloaded into Node: writes the packages whose modules were loaded, as JSON, to standard error.
import { registerHooks } from 'node:module';

const packages = new Set();
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const path = resolved.url.split('/node_modules/').at(-1);
    const isPackage = resolved.url.includes('/node_modules/');
    const ours = resolved.url.match(/\/packages\/([\w-]+)\//)?.[1];
    if (isPackage)
      packages.add(
        path
          .split('/')
          .slice(0, path.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    else if (ours !== undefined) packages.add(`our ${ours}`);
    return resolved;
  },
});
process.on('exit', () => console.error(JSON.stringify([...packages].sort())));
