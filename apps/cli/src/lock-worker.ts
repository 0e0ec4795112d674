import { answerKeeper } from './corpus/running/lock-keeper.ts';

/** The program of a worker: keeps a lock. */
answerKeeper();
