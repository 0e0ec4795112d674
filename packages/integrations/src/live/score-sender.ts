import { messageOf, withTimeout } from '@kp/foundation';
import { IntegrationError, overloaded } from '../run/integration-error.ts';
import { type ScoreTarget, type SentScore, scoreKey } from '../send/score-target.ts';
import { isOurs, type ReportError } from './report-errors.ts';

/** Sends scores beside the scoring, which never waits for it. */
export interface ScoreSender {
  /** Takes a score, and returns at once. Never throws. */
  send(score: SentScore): void;
  /** Resolves when all that was taken is sent or given up. Never rejects. */
  settled(): Promise<void>;
  /** The names of the targets that have scores to send. */
  readonly busy: readonly string[];
}

const MOST_AT_ONCE = 8;

/**
 * @param most - how many scores may wait for one target.
 * @param timeoutMs - how long one score may take.
 */
export function createScoreSender(
  targets: readonly ScoreTarget[],
  report: ReportError,
  most: number,
  timeoutMs: number,
): ScoreSender {
  const queues = targets.map((target) => createQueue(target, report, most, timeoutMs));
  return {
    send(score) {
      for (const queue of queues) queue.add(score);
    },
    async settled() {
      await Promise.all(queues.map((queue) => queue.settled()));
    },
    get busy() {
      return queues.filter((queue) => queue.isBusy).map(({ name }) => name);
    },
  };
}

interface Queue {
  readonly name: string;
  readonly isBusy: boolean;
  add(score: SentScore): void;
  settled(): Promise<void>;
}

/** Up to eight runs at once; the scores of one run one after the other, of which the last counts. */
function createQueue(
  target: ScoreTarget,
  report: ReportError,
  most: number,
  timeoutMs: number,
): Queue {
  const { name } = target;
  const waiting = new Map<string, SentScore>();
  const sending = new Map<string, Promise<void>>();

  function start(): void {
    for (const [key, score] of waiting) {
      if (sending.size >= MOST_AT_ONCE) return;
      if (sending.has(key)) continue;
      waiting.delete(key);
      const sent = sendOne(score).then(() => {
        sending.delete(key);
        start();
      });
      sending.set(key, sent);
    }
  }

  async function sendOne(score: SentScore): Promise<void> {
    const limit = new AbortController();
    try {
      // After a turn of the event loop, so that nothing of it happens in the call of `add`.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const sent = Promise.resolve(target.send(score, limit.signal));
      await withTimeout(sent, timeoutMs, () => {
        const error = notSent(name, score.runId, `no answer within ${timeoutMs} ms`);
        limit.abort(error);
        return error;
      });
    } catch (cause) {
      if (isOurs(cause)) report(cause);
      else report(notSent(name, score.runId, messageOf(cause), cause));
    }
  }

  return {
    name,
    get isBusy() {
      return waiting.size + sending.size > 0;
    },
    add(score) {
      const key = scoreKey(score);
      if (waiting.size >= most && !waiting.has(key)) {
        report(overloaded(`${most} scores waiting for ${name}`, 'this score is not sent'));
        return;
      }
      waiting.set(key, score);
      start();
    },
    async settled() {
      while (sending.size > 0) await Promise.all(sending.values());
    },
  };
}

function notSent(
  target: string,
  runId: string,
  received: string,
  cause?: unknown,
): IntegrationError {
  return new IntegrationError('SENDING_FAILED', {
    subject: `score of ${runId} for ${target}`,
    expected: 'to be sent',
    received,
    remedy: 'the score itself is not affected; check the address and the keys',
    cause,
  });
}
