import { fileURLToPath } from 'node:url';

const page = (name: string): string =>
  fileURLToPath(new URL(`../src/page/${name}`, import.meta.url));

/** Generates the module `src/generated/page.ts` with the minified script and style of the page. */
export async function buildPage(): Promise<string> {
  const script = await bundle('main.tsx');
  const style = await bundle('style.css');
  // In HTML a script ends at the first closing tag, even inside a string.
  if (/<\/(?:script|style)|<!--/i.test(script + style)) {
    throw new Error('page: expected no closing tag of a script or style in its code');
  }
  const quoted = (text: string): string => JSON.stringify(text);
  return `// Made by scripts/build-page.ts; a test holds it to src/page.
/** The page's script, an ES module without imports. */
export const PAGE_SCRIPT: string =
  ${quoted(script)};

/** The page's style sheet. */
export const PAGE_STYLE: string =
  ${quoted(style)};
`;
}

async function bundle(name: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [page(name)],
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${name}: expected a bundle, received none`);
  return (await output.text()).trim();
}
