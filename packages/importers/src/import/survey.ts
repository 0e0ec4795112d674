import { LabelsError } from '../errors/errors.ts';
import type { ImportSession } from './import-session.ts';
import type { ImportedTrace } from './imported-trace.ts';

/**
 * Creates a session that learns the names of all runs before it assigns labels.
 *
 * @param session - reads the runs.
 * @param surveyor - reads the same inputs first and passes the names of the runs to the labels.
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
    // Labels are looked up in the whole records, so nothing is prepared.
    readAhead: (source, name) => afterSurvey(session.read(source, name)),
    readObjects: (objects, name) => afterSurvey(session.readObjects(objects, name)),
  };
}
