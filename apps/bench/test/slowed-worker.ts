import { runWorker } from '../src/enforced/run-worker.ts';
import { SDK_SUBJECTS, type Subjects } from '../src/enforced/subjects.ts';
import { slowedSubjects } from './slowed-subjects.ts';

// Words: the row, and the part to slow down; without a part, none is.
const [row, part] = process.argv.slice(2);
await runWorker(isPart(part) ? slowedSubjects(part) : SDK_SUBJECTS, row);

function isPart(text: string | undefined): text is keyof Subjects {
  return text !== undefined && Object.hasOwn(SDK_SUBJECTS, text);
}
