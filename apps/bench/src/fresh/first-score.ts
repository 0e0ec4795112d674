import { createScorer } from '@knowledgepulse/sdk';
import { financeTrace } from '../inputs/traces.ts';

const report = await createScorer({ embedder: null }).evaluate(financeTrace);
if (Math.abs(report.score - 0.724) > 1e-9) process.exitCode = 1;
