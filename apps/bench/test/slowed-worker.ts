import * as sdk from '@knowledgepulse/sdk';
import { do_not_optimize } from 'mitata';
import { runWorker } from '../src/enforced/measure-rows.ts';
import { type Subjects, subjectsOf } from '../src/enforced/part-cases.ts';

const SDK_SUBJECTS = subjectsOf(sdk);

/** The measured functions, one of which does its work twice. */
function slowedSubjects(slowed: keyof Subjects): Subjects {
  const { add, evaluate } = SDK_SUBJECTS;
  const slow: Subjects = {
    complexity: twiceOfOne(SDK_SUBJECTS.complexity),
    toolDiversity: twiceOfOne(SDK_SUBJECTS.toolDiversity),
    outcomeConfidence: twiceOfOne(SDK_SUBJECTS.outcomeConfidence),
    compositeScore: twiceOfTwo(SDK_SUBJECTS.compositeScore),
    applyOverrides: twiceOfTwo(SDK_SUBJECTS.applyOverrides),
    parseTrace: twiceOfOne(SDK_SUBJECTS.parseTrace),
    maxCosineSimilarity: twiceOfTwo(SDK_SUBJECTS.maxCosineSimilarity),
    add(cache, vector) {
      add(cache, vector);
      add(cache, vector);
    },
    async evaluate(scorer, trace) {
      await evaluate(scorer, trace);
      return evaluate(scorer, trace);
    },
  };
  return { ...SDK_SUBJECTS, [slowed]: slow[slowed] };
}

// The second run uses the arguments of the previous call and keeps its result, so that no compiler
// can remove the work.
function twiceOfOne<A, Result>(part: (a: A) => Result): (a: A) => Result {
  let previous: A | undefined;
  return (a) => {
    if (previous !== undefined) do_not_optimize(part(previous));
    previous = a;
    return part(a);
  };
}

function twiceOfTwo<A, B, Result>(part: (a: A, b: B) => Result): (a: A, b: B) => Result {
  let previousA: A | undefined;
  let previousB: B | undefined;
  return (a, b) => {
    if (previousA !== undefined && previousB !== undefined)
      do_not_optimize(part(previousA, previousB));
    previousA = a;
    previousB = b;
    return part(a, b);
  };
}

// Arguments: the row, and the part to slow down, if any.
const [row, part] = process.argv.slice(2);
await runWorker(sdk, isPart(part) ? slowedSubjects(part) : SDK_SUBJECTS, row);

function isPart(text: string | undefined): text is keyof Subjects {
  return text !== undefined && Object.hasOwn(SDK_SUBJECTS, text);
}
