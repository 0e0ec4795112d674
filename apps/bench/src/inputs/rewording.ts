import type { ReasoningTrace } from '@knowledgepulse/sdk';

/**
 * A function that gives each trace another objective every time: embedders may keep what they have
 * embedded, and a look-up is not what is to be timed.
 */
export function createRewording(): (trace: ReasoningTrace) => ReasoningTrace {
  let count = 0;
  return (trace) => {
    const objective = `${trace.task.objective} ${count++}`;
    return { ...trace, task: { ...trace.task, objective } };
  };
}
