import { expect, it } from 'bun:test';
import * as curation from '@kp/curation';
import * as importers from '@kp/importers';
import * as memory from '@kp/memory';
import * as sdkCuration from './curation.ts';
import * as sdk from './index.ts';
import * as sdkMemory from './memory.ts';
import * as recordings from './recordings.ts';

it('exports these names and no others', () => {
  expect(Object.keys(sdk).sort()).toEqual([
    'BUILT_IN_RULES',
    'BudgetExceededError',
    'DEFAULT_TRACE_LIMITS',
    'DIMENSIONS',
    'DOMAIN_PROFILES',
    'DimensionMismatchError',
    'EMBEDDER_KINDS',
    'EmbedderClosedError',
    'EmbedderLoadError',
    'EmbeddingError',
    'FormulaError',
    'InvalidTypeError',
    'InvalidValueError',
    'KP_CONTEXT',
    'KnowledgePulseError',
    'KnowledgeUnitMetaSchema',
    'MemoryError',
    'MemoryMismatchError',
    'OperationTimeoutError',
    'OutOfMemoryError',
    'ProfileError',
    'ReasoningTraceSchema',
    'ReasoningTraceStepSchema',
    'STEP_TYPES',
    'ScorerClosedError',
    'ScorerOptionError',
    'ScorerOverloadedError',
    'SnapshotError',
    'TraceLimitsError',
    'TraceValidationError',
    'UNKNOWN_NOVELTY',
    'VectorCache',
    'applyOverrides',
    'complexity',
    'complexityFromTerms',
    'compositeScore',
    'createEmbedder',
    'createFormula',
    'createLexicalEmbedder',
    'createScorer',
    'createStaticEmbedder',
    'createTrace',
    'createTransformersEmbedder',
    'defaultEmbedder',
    'evaluateValue',
    'isTransformersInstalled',
    'labelOf',
    'noveltyOf',
    'outcomeConfidence',
    'parseTrace',
    'reasoningTraceJsonSchema',
    'rescore',
    'safeParseTrace',
    'scoreTrace',
    'toolDiversity',
    'traceText',
    'withEmbeddingCache',
  ]);
});

it.each([
  ['recordings', recordings, importers, 'importTraces'],
  ['memory', sdkMemory, memory, 'openMemory'],
  ['curation', sdkCuration, curation, 'selectSubset'],
] as const)('exports by the name %s all that a package of ours does', (_, facade, own, name) => {
  expect(Object.keys(facade)).toContain(name);
  expect(Object.keys(facade).toSorted()).toEqual(Object.keys(own).toSorted());
  for (const [key, value] of Object.entries(facade)) expect(value).toBe(Reflect.get(own, key));
});
