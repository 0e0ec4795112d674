// What happens to an invalid trace? It is rejected with a list of all problems, and nothing is
// stored.
import { createScorer, type ReasoningTrace, TraceValidationError } from '@knowledgepulse/sdk';

const scorer = createScorer({ embedder: null });
const received = JSON.parse(`{
  "@context": "https://openknowledgepulse.org/schema/v1",
  "@type": "ReasoningTrace",
  "id": "kp:trace:from-a-queue",
  "metadata": { "created_at": "yesterday", "task_domain": "code", "success": "yes",
    "quality_score": 0, "visibility": "network", "privacy_level": "aggregated" },
  "task": { "objective": "Upgrade the payment library" },
  "steps": [{ "step_id": 0, "type": "plan" }],
  "outcome": { "result_summary": "Upgraded", "confidence": 0.8 }
}`) as ReasoningTrace;

try {
  await scorer.evaluate(received);
} catch (error) {
  if (!(error instanceof TraceValidationError)) throw error;
  console.log(error.message);
  console.log(error.issues.map(({ path }) => path).join(' '));
}

// Prints:
// trace kp:trace:from-a-queue is not valid, 3 problems:
//   metadata.created_at: expected an ISO 8601 date-time with Z or an offset, such as 2026-01-15T10:00:00Z, received "yesterday"
//   metadata.success: expected true or false, received "yes"
//   steps[0].type: expected one of thought, tool_call, observation, error_recovery, received "plan"
// metadata.created_at metadata.success steps[0].type
