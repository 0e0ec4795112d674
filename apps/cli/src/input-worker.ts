import { createRunLineReader } from '@kp/importers';
import type { BlockRequest, InputRequest, WorkerAnswer } from './runs/prepared/prepared-data.ts';
import { answerRequests } from './threads/answer-requests.ts';
import { createBlockPreparation } from './threads/prepare-block.ts';
import { createInputPreparation } from './threads/prepare-input.ts';
import { transferable } from './threads/prepare-runs.ts';
import type { InputWorkerSettings } from './threads/worker-settings.ts';

/** The program of a worker: answers each input, and each block of an input, with what it prepared of it. */
answerRequests(({ options, lineOptions = {}, ...needs }: InputWorkerSettings) => {
  const prepareInput = createInputPreparation(options, needs);
  const prepareBlock = createBlockPreparation(createRunLineReader(lineOptions), needs);
  return (request: InputRequest | BlockRequest): Promise<WorkerAnswer> =>
    'path' in request ? prepareInput(request) : prepareBlock(request);
}, transferable);
