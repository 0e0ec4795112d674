import { LabelsError } from '../errors/errors.ts';
import type { ImportSession } from './import-session.ts';
import type { ImportedTrace } from './imported-trace.ts';

/**
 * A session that knows the names of all runs before it gives labels to any of them.
 *
 * @param session - reads the runs.
 * @param surveyor - reads the same inputs before; it gives the labels the names of the runs.
 */
export function withSurvey(session: ImportSession, surveyor: ImportSession): ImportSession {
  let state: 'empty' | 'surveyed' | 'ended' = 'empty';
  async function exhaust(items: AsyncGenerator<ImportedTrace>): Promise<void> {
    state = 'surveyed';
    for await (const _ of items);
  }
  async function* afterSurvey(items: AsyncGenerator<ImportedTrace>): AsyncGenerator<ImportedTrace> {
    if (state === 'empty') {
      throw new LabelsError('labels', 'a survey of every input before the first read', 'none');
    }
    if (state === 'surveyed') await exhaust(surveyor.end());
    state = 'ended';
    yield* items;
  }
  return {
    ...session,
    survey: (source, name) => exhaust(surveyor.read(source, name)),
    surveyObjects: (objects, name) => exhaust(surveyor.readObjects(objects, name)),
    read: (source, name) => afterSurvey(session.read(source, name)),
    readObjects: (objects, name) => afterSurvey(session.readObjects(objects, name)),
  };
}
