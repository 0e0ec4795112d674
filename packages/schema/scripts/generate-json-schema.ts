import * as z from 'zod/v4';
import { ReasoningTraceSchema } from '../src/reasoning-trace.ts';
import { generateValidator } from './generate-validator.ts';

/** Generates the JSON Schema that `schema.json` and the generated module contain. */
export function generateJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ReasoningTraceSchema, {
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // Keep only the pattern: it covers the format, and validators without formats check it too.
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

if (import.meta.main) {
  const schema = generateJsonSchema();
  const root = new URL('../', import.meta.url);
  await Bun.write(new URL('schema.json', root), `${JSON.stringify(schema, null, 2)}\n`);
  await Bun.write(new URL('src/generated/json-schema.ts', root), generateModule(schema));
  await Bun.write(new URL('src/generated/is-trace-fast.ts', root), generateValidator(schema));
}
