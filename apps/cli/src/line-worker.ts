import { createOwnLineReader } from '@kp/importers';
import { answerRequests } from './threads/answer-requests.ts';
import { createBlockPreparation } from './threads/prepare-block.ts';
import { transferable } from './threads/prepare-runs.ts';
import type { LineWorkerSettings } from './threads/worker-settings.ts';

/** The program of a worker: answers each block with what it prepared of the traces of this project in it. */
answerRequests(
  ({ options, ...needs }: LineWorkerSettings) =>
    createBlockPreparation(createOwnLineReader(options), needs),
  transferable,
);
