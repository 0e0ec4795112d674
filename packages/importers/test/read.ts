import type { ByteSource } from '../src/bytes/byte-source.ts';
import { type ImportedTrace, type ImportOptions, importTraces } from '../src/index.ts';

/** All items that an input gives. */
export async function importAll(
  source: ByteSource,
  options: ImportOptions = {},
): Promise<ImportedTrace[]> {
  return Array.fromAsync(importTraces(source, options));
}

/** The one run in a value, as a trace. */
export async function importOne(value: unknown, options: ImportOptions = {}): Promise<OneTrace> {
  const items = await importAll(JSON.stringify(value), { assumeSuccess: false, ...options });
  const [item] = items;
  if (items.length !== 1 || item?.kind !== 'trace') {
    throw new Error(`expected one trace, received ${JSON.stringify(items)}`);
  }
  return item;
}

export type OneTrace = Extract<ImportedTrace, { kind: 'trace' }>;

/** Steps as short lines: `tool_call bash {"command":"ls"}`, `observation hello`. */
export function sketch({ trace }: { readonly trace: Pick<OneTrace['trace'], 'steps'> }): string[] {
  return trace.steps.map((step) =>
    [step.type, step.tool?.name, step.input && JSON.stringify(step.input), step.content]
      .filter((part) => part !== undefined)
      .join(' '),
  );
}
