import { jsonText } from '../output/text.ts';
import type { Run } from '../runs/run.ts';
import { type Conversation, toConversation } from './conversation.ts';

/** What a selection can be written as. */
export const LAYOUTS = ['native', 'kp', 'openai', 'sharegpt', 'parquet'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Whether a layout is for training, and not the recording or the trace itself. */
export function isTrainingLayout(layout: Layout): boolean {
  return layout !== 'native' && layout !== 'kp';
}

/** What has to be kept of a run to write it when its score is known. */
export function keptText(run: Run, layout: Layout): string {
  if (layout === 'native') return jsonText(run.record).trimEnd();
  if (layout === 'kp') return jsonText(run.trace).trimEnd();
  return JSON.stringify(toConversation(run) ?? null);
}

/** @returns null when there is nothing to train on. */
export function readKept(text: string): Conversation | null {
  return JSON.parse(text) as Conversation | null;
}
