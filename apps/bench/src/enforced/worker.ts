import { runWorker } from './run-worker.ts';
import { SDK_SUBJECTS } from './subjects.ts';

await runWorker(SDK_SUBJECTS, process.argv[2]);
