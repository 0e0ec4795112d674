import type { Embedder } from '@kp/embedder';
import type { NoveltyReport } from '../formula/score-report.ts';
import { guardMemory } from '../novelty/guard-memory.ts';
import { createMemoryOrder } from '../novelty/memory-order.ts';
import type { NoveltyMemory, SameId } from '../novelty/novelty-memory.ts';
import { LONGEST_TIMER_MS } from '../novelty/operation.ts';
import { createAdmission } from './admission.ts';
import { ScorerClosedError, ScorerOverloadedError } from './errors.ts';
import { type LookupCall, LookupTurn, type TurnParts } from './lookup-turn.ts';
import type { Warnings } from './warnings.ts';

/** Finds out how novel texts are, and remembers them. */
export interface NoveltyLookup {
  /**
   * Embeds at once, then compares and remembers in call order, past what failed. Rejects with the
   * signal's reason; where nothing was to be compared, so that no report can say it, with what
   * went wrong.
   */
  find(call: LookupCall): Promise<NoveltyReport>;
  /** Resolves when nothing is pending any more; after so many milliseconds, gives up the rest. */
  finish(withinMs: number): Promise<void>;
}

export interface LookupSettings {
  readonly embedder: Embedder;
  readonly memory: NoveltyMemory;
  readonly sameId: SameId;
  readonly operationTimeoutMs: number;
  readonly maxPending: number;
}

export function createNoveltyLookup(settings: LookupSettings, warnings: Warnings): NoveltyLookup {
  const { embedder, sameId, operationTimeoutMs, maxPending } = settings;
  const order = createMemoryOrder<LookupTurn>(
    guardMemory(settings.memory, sameId, operationTimeoutMs),
  );
  const admission = createAdmission(maxPending);
  const onIdle = (): void => undefined;
  const parts: TurnParts = { embedder, operationTimeoutMs, admission, order, warnings, onIdle };

  async function shed({ compare }: LookupCall): Promise<NoveltyReport> {
    const error = new ScorerOverloadedError(maxPending);
    warnings.warn('OVERLOADED', `${error.message} (what is over is not remembered)`, error);
    if (!compare) throw error;
    return { source: 'overloaded', truncated: false, embedder: embedder.id };
  }

  return {
    find(call) {
      if (call.mayBeShed && !admission.admits(call.text.text.length, call.budgetMs)) {
        return shed(call);
      }
      return new Promise((resolve, reject) => new LookupTurn(parts, call, resolve, reject).start());
    },
    async finish(withinMs) {
      if (admission.pending === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(withinMs, LONGEST_TIMER_MS));
        parts.onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      for (const turn of order.pending()) turn.failed(new ScorerClosedError());
    },
  };
}
