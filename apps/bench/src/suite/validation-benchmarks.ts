import { parseTrace, ReasoningTraceSchema, reasoningTraceJsonSchema } from '@knowledgepulse/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { BenchmarkFactory } from './run-suite.ts';
import { STEP_COUNTS, traceOf } from './scoring-benchmarks.ts';

/**
 * Times `parseTrace`, the zod schema without limits on size, and ajv compiled from the JSON Schema.
 */
export const validationBenchmarks: BenchmarkFactory = {
  group: 'validation',
  create() {
    const ajv = new Ajv2020({ allErrors: false });
    // The package is CommonJS; under some runtimes its function is one level further down.
    const add = 'default' in addFormats ? addFormats.default : addFormats;
    add(ajv as unknown as Parameters<typeof add>[0]);
    const isTraceByAjv = ajv.compile(reasoningTraceJsonSchema);
    return STEP_COUNTS.flatMap((steps) => {
      const trace = traceOf(steps);
      const common = { group: 'validation', size: steps };
      return [
        { ...common, name: 'parseTrace', run: () => parseTrace(trace) },
        { ...common, name: 'zod alone', run: () => ReasoningTraceSchema.safeParse(trace) },
        { ...common, name: 'ajv', run: () => isTraceByAjv(trace) },
      ];
    });
  },
};
