import type { RecordedStep } from '../recorded-run.ts';
import { countOmitted, createOmitted, type Omitted } from './content.ts';

/** What a conversation gives for a run. */
export interface ConversationRun {
  readonly objective?: string;
  readonly steps: readonly RecordedStep[];
  readonly omitted: Readonly<Record<string, number>>;
}

/** Collects the steps of a run message by message, by rules that all chat formats share. */
export interface Conversation {
  readonly omitted: Omitted;
  /** What the agent said or thought; blank text is no step. */
  think(content: string): void;
  push(...steps: readonly RecordedStep[]): void;
  /**
   * What someone else said. The user's first words are the objective, later ones an observation.
   */
  hear(role: string, content: string): void;
  omit(kind: string): void;
  finish(): ConversationRun;
}

/** Starts with nothing said. */
export function createConversation(): Conversation {
  const steps: RecordedStep[] = [];
  const omitted = createOmitted();
  let objective: string | undefined;
  return {
    omitted,
    think(content) {
      if (content.trim() !== '') steps.push({ kind: 'thought', content });
    },
    push: (...more) => void steps.push(...more),
    hear(role, content) {
      const isObjective = role === 'user' && objective === undefined && content.trim() !== '';
      if (isObjective) objective = content;
      else steps.push({ kind: 'observation', content, role });
    },
    omit: (kind) => countOmitted(omitted, kind),
    finish: () => ({
      ...(objective === undefined ? {} : { objective }),
      steps,
      omitted: Object.fromEntries(omitted),
    }),
  };
}
