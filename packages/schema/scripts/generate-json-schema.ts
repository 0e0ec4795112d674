import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import * as z from 'zod';
import { ReasoningTraceSchema } from '../src/reasoning-trace.ts';

/** The JSON Schema as it should be: `schema.json` and the generated module hold this value. */
export function generateJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ReasoningTraceSchema, {
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // The pattern says all that the format says, and validators that know no formats check it too.
      if (jsonSchema.pattern !== undefined) delete jsonSchema.format;
    },
  });
  const { $schema, ...rest } = schema;
  return {
    $schema,
    $id: 'https://openknowledgepulse.org/schema/v1/reasoning-trace.json',
    title: 'ReasoningTrace',
    ...(JSON.parse(JSON.stringify(rest)) as Record<string, unknown>),
  };
}

export function generateModule(schema: Record<string, unknown>): string {
  return [
    '// Generated from ReasoningTraceSchema by `bun run generate`; a test keeps it current.',
    '/** {@link ReasoningTraceSchema} as JSON Schema, draft 2020-12; the same as `@kp/schema/schema.json`. */',
    `export const reasoningTraceJsonSchema: Readonly<Record<string, unknown>> = ${JSON.stringify(schema, null, 2)};`,
    '',
  ].join('\n');
}

/**
 * The schema as code that says yes or no, for the traces that are valid: zod takes 4.6 ms for the
 * first one of a process.
 */
export function generateValidator(schema: Record<string, unknown>): string {
  const ajv = new Ajv2020({
    code: { source: true, esm: true },
    // As zod counts characters and reads patterns.
    unicode: false,
    unicodeRegExp: false,
    messages: false,
    logger: false,
  });
  const code = standalone
    .default(ajv, ajv.compile(schema))
    .replace('"use strict";', '')
    .replace(/export default \w+;/, '');
  return `// Generated from ReasoningTraceSchema by \`bun run generate\`; a test keeps it current.\n${code}\n`;
}

if (import.meta.main) {
  const schema = generateJsonSchema();
  const root = new URL('../', import.meta.url);
  await Bun.write(new URL('schema.json', root), `${JSON.stringify(schema, null, 2)}\n`);
  await Bun.write(new URL('src/generated/json-schema.ts', root), generateModule(schema));
  await Bun.write(new URL('src/generated/validate-trace.js', root), generateValidator(schema));
}
