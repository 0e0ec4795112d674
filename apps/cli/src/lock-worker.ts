import { answerKeeper } from './corpus/lock-keeper.ts';

/** The program of a worker: keeps a lock. */
answerKeeper();
