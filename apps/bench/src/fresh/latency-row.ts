import { runWorker } from '../enforced/measure-rows.ts';
import { SDK_SUBJECTS } from '../enforced/part-cases.ts';

await runWorker(SDK_SUBJECTS, process.argv[2]);
