import { workerData } from 'node:worker_threads';
import { createOwnLineReader } from '@kp/importers';
import type { BlockRequest } from './runs/prepared/prepared-data.ts';
import { answerRequests } from './threads/answer-requests.ts';
import { type EarlyData, prepareEarly } from './threads/early-blocks.ts';
import { createBlockPreparation } from './threads/prepare-block.ts';
import { transferable } from './threads/prepare-runs.ts';
import type { LineWorkerSettings } from './threads/worker-settings.ts';

const early = workerData && prepareEarly(workerData as EarlyData);

/** The program of a worker: answers each block with what it prepared of the traces of this project in it. */
answerRequests((settings: LineWorkerSettings) => {
  const { options, ...needs } = settings;
  const takeEarly = early?.take(settings);
  const prepare = createBlockPreparation(createOwnLineReader(options), needs);
  return async (request: BlockRequest) => takeEarly?.(request) ?? prepare(request);
}, transferable);
