import * as sdk from '@knowledgepulse/sdk';
import { runWorker } from '../enforced/measure-rows.ts';
import { subjectsOf } from '../enforced/part-cases.ts';

await runWorker(sdk, subjectsOf(sdk), process.argv[2]);
