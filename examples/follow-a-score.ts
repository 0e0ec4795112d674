// Where does a score come from? The report has the whole derivation.
import { createLexicalEmbedder, createScorer, parseTrace } from '@knowledgepulse/sdk';

const scorer = createScorer({ embedder: createLexicalEmbedder() });
const lines = (await Bun.file(new URL('traces/finance.jsonl', import.meta.url)).text())
  .trim()
  .split('\n');

for (const line of lines.slice(0, 3)) {
  const report = await scorer.evaluate(parseTrace(JSON.parse(line)));
  const { dimensions, contributions, weights, novelty } = report;
  console.log(`${report.traceId}: ${report.score.toFixed(3)} by the profile ${report.profile}`);
  for (const name of ['complexity', 'novelty', 'toolDiversity', 'outcomeConfidence'] as const) {
    const sum = `${dimensions[name].toFixed(3)} × ${weights[name].toFixed(2)} = ${contributions[name].toFixed(3)}`;
    console.log(`  ${name.padEnd(18)} ${sum}`);
  }
  for (const { rule, before, after } of report.overrides) {
    console.log(`  ${rule}: ${before.toFixed(3)} → ${after.toFixed(3)}`);
  }
  console.log(`  nearest earlier trace: ${novelty.nearest?.key ?? novelty.source}`);
}

// Prints:
// kp:trace:finance-tsmc-q4-margin: 0.730 by the profile finance
//   complexity         0.455 × 0.20 = 0.091
//   novelty            0.500 × 0.25 = 0.125
//   toolDiversity      1.000 × 0.10 = 0.100
//   outcomeConfidence  0.920 × 0.45 = 0.414
//   nearest earlier trace: empty_memory
// kp:trace:finance-covenant-headroom: 1.000 by the profile finance
//   complexity         0.930 × 0.20 = 0.186
//   novelty            0.994 × 0.25 = 0.248
//   toolDiversity      0.923 × 0.10 = 0.092
//   outcomeConfidence  0.940 × 0.45 = 0.423
//   error_recovery_bonus: 0.950 → 1.000
//   nearest earlier trace: kp:trace:finance-tsmc-q4-margin
// kp:trace:finance-umc-q4-margin: 0.601 by the profile finance
//   complexity         0.455 × 0.20 = 0.091
//   novelty            0.180 × 0.25 = 0.045
//   toolDiversity      1.000 × 0.10 = 0.100
//   outcomeConfidence  0.810 × 0.45 = 0.365
//   nearest earlier trace: kp:trace:finance-tsmc-q4-margin
