import { BUILT_IN_IMPORTERS } from '../src/index.ts';

/** A document and the generated content between the marks of each section. */
interface Document {
  readonly path: string;
  readonly sections: Readonly<Record<string, string>>;
}

const root = new URL('../../../', import.meta.url);
const SHOWN_LINES = 3;
const SHOWN_CHARACTERS = 200;

/** Creates the generated sections of all documents that list formats. */
export async function formatDocuments(): Promise<readonly Document[]> {
  const table = [
    '| name | file | where to find it | thought | tool call | error | success |',
    '|---|---|---|---|---|---|---|',
    ...BUILT_IN_IMPORTERS.map(({ name, docs }) => {
      const { file, where, thought, toolCall, error, success } = docs;
      return `| \`${name}\` | ${[file, where, thought, toolCall, error, success].join(' | ')} |`;
    }),
  ];
  const names = [
    '| name | what |',
    '|---|---|',
    ...BUILT_IN_IMPORTERS.map(({ name, title }) => `| \`${name}\` | ${title} |`),
  ];
  const examples = await Promise.all(
    BUILT_IN_IMPORTERS.map(async ({ name, title, samples }) => {
      const [sample] = await samples();
      const lines = (sample?.text ?? '').split('\n').slice(0, SHOWN_LINES).map(cut);
      return [`**\`${name}\`** ${title}`, '', '```', ...lines, '```', ''].join('\n');
    }),
  );
  return [
    {
      path: 'docs/formats.md',
      sections: { formats: table.join('\n'), examples: examples.join('\n').trimEnd() },
    },
    { path: 'packages/importers/README.md', sections: { formats: names.join('\n') } },
  ];
}

/** Fills in the sections of a document. @throws Error if the marks of a section are missing. */
export function fillSections(text: string, { path, sections }: Document): string {
  return Object.entries(sections).reduce((filled, [name, content]) => {
    const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- /${name} -->`];
    const from = filled.indexOf(begin);
    const to = filled.indexOf(end);
    if (from === -1 || to < from) throw new Error(`${path}: expected ${begin} … ${end}`);
    return `${filled.slice(0, from + begin.length)}\n\n${content}\n\n${filled.slice(to)}`;
  }, text);
}

/** Reads the current text of a document. */
export function readDocument({ path }: Document): Promise<string> {
  return Bun.file(new URL(path, root)).text();
}

function cut(line: string): string {
  return line.length <= SHOWN_CHARACTERS ? line : `${line.slice(0, SHOWN_CHARACTERS)}…`;
}

if (import.meta.main) {
  for (const document of await formatDocuments()) {
    const filled = fillSections(await readDocument(document), document);
    await Bun.write(new URL(document.path, root), filled);
    console.log(document.path);
  }
}
