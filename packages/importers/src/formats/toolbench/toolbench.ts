import { RecordingError } from '../../errors/errors.ts';
import { type DefinedImporter, defineImporter } from '../../importer/define-importer.ts';
import type { RecordedRun, RecordedStep } from '../../importer/importer.ts';
import {
  asName,
  asObjects,
  asString,
  isJsonObject,
  type JsonObject,
} from '../../json/json-value.ts';
import { toolCall, toolResult } from '../../messages/conversation.ts';

/**
 * Answers of ToolBench: a `tree` of the search, whose nodes are a thought, an action, or its input with the
 * observation. The steps are those of the whole search in the order in which it visited the nodes; a branch
 * that it gave up is part of the run.
 */
export const toolBenchImporter: DefinedImporter = /* @__PURE__ */ defineImporter({
  name: 'toolbench',
  title: 'ToolBench answers (search trees and chains)',
  docs: {
    file: 'one answer per file, `{tree, answer_generation}`',
    where: '`data/answer/**/*.json` of ToolBench',
    thought: 'nodes of type `Thought`',
    toolCall: 'nodes of type `Action` with their `Action Input`',
    error: '`observation_code` other than 0 and 3; `error` in the observation',
    success: '`win`; a `Finish` that gives up fails',
  },
  samples: () => import('./samples.ts').then(({ samples }) => samples),
  detect(value) {
    const isOwn = isJsonObject(value) && rootOf(value) !== undefined;
    return isOwn ? { seen: 'tree with node_type', fit: 'distinct' } : undefined;
  },
  taskOf: (segments) => /^(\d+)_\w/.exec(segments.at(-1) ?? '')?.[1],
  *read(value) {
    const root = isJsonObject(value) ? rootOf(value) : undefined;
    if (root === undefined || !isJsonObject(value)) {
      throw new RecordingError('recording', 'an answer of ToolBench', value);
    }
    yield readAnswer(value, root);
  },
});

function rootOf({ tree }: JsonObject): JsonObject | undefined {
  const root = isJsonObject(tree) ? tree.tree : undefined;
  return isJsonObject(root) && typeof root.node_type === 'string' ? root : undefined;
}

function readAnswer(answer: JsonObject, root: JsonObject): RecordedRun {
  const generation = isJsonObject(answer.answer_generation) ? answer.answer_generation : {};
  const { query, final_answer, finish_type } = generation;
  const { win } = answer;
  const gaveUp = asName(finish_type).startsWith('give_up');
  return {
    source: {},
    objective: asString(query),
    steps: [...stepsOf(root)],
    resultSummary: asString(final_answer),
    verdicts:
      typeof win === 'boolean' ? [{ path: 'win', value: win && !gaveUp, rank: 'main' }] : undefined,
    framework: 'toolbench',
    record: answer,
  };
}

/** Visits the nodes depth first without recursion: a chain can be as long as the file allows. */
function* stepsOf(root: JsonObject): Iterable<RecordedStep> {
  const waiting: { node: JsonObject; action?: string; id: string }[] = [{ node: root, id: '0' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, action, id } = next;
    const { node_type, description, observation } = node;
    const text = asName(description);
    if (node_type === 'Thought' && text.trim() !== '') yield { kind: 'thought', content: text };
    if (node_type === 'Action Input' && action !== undefined) {
      yield toolCall(action, text, id, 'tree: description of an Action');
      const sign = isFailure(node) ? 'flag' : undefined;
      if (observation !== undefined) yield toolResult(asName(observation), id, sign);
    }
    const named = node_type === 'Action' ? text : undefined;
    const children = asObjects(node.children);
    // The search stopped before the model wrote the input.
    if (named !== undefined && children.length === 0) {
      yield toolCall(named, undefined, id, 'tree: description of an Action');
    }
    for (const [index, child] of [...children.entries()].reverse()) {
      waiting.push({ node: child, action: named, id: `${id}.${index}` });
    }
  }
}

/** Code 3 is an accepted answer; an API reports its failure in `error`. */
function isFailure({ observation, observation_code }: JsonObject): boolean {
  if (typeof observation_code === 'number' && ![0, 3, 4].includes(observation_code)) return true;
  return /^\{"error": "[^"]/.test(asName(observation));
}
