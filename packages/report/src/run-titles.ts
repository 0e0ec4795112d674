import type { ReportRun } from './report-data.ts';

const LONGEST = 72;
const SHORTEST = 8;
const FIRST_SENTENCES = 6;
// Shorter common beginnings are accidental.
const SHARED_BEGINNING = 40;

const GREETING =
  /^(?:(?:hi|hello|hey|howdy|greetings|yeah|yes|ok|okay|um+|good (?:morning|afternoon|evening)|dear \w+|thanks|thank you)\b(?:[ ,]+(?:there|all|team|everyone))?[\s,.!…—–-]*)+/i;
// "I would like to exchange a laptop": the words after it are the request.
const WISH =
  /\b(?:I(?:['’]d| would) (?:really )?(?:like|love|need) to|I (?:really |urgently |just )?(?:want|need|have|wish|wanted) to|I(?:['’]m| am) (?:trying|looking|hoping|going) to|I was (?:hoping|wondering)(?: if)?(?: you could| to)?(?: help(?: me)?)?(?: with| to)?|(?:can|could|would) you (?:please )?(?:help me (?:to |with )?)?|(?:please )?help me (?:to |with )?|I need (?:some |your )?help (?:with|to|in))\s+(?=\S)/i;
// "Get it fixed": meaningless without the sentences before it.
const EMPTY_WISH =
  /^(?:(?:please|do|fix|fixed|get|help|helped|me|with|it|this|that|these|those|them|one|you|look|into|out|some|something|make|assist|change|exchange|return|cancel|resolve|resolved|sort|sorted|done|of|both|a|the|as|soon|possible|for|an?other) ?)*[?.!]*$/i;
const THING = /^(?:my|an?|the|some|this|these|one of) /i;
// Words that introduce the problem in the prompts of benchmarks.
const TEMPLATE =
  /^[\s\S]{0,2000}?(?:ISSUE:|Issue text:|<issue(?:_description)?>|<pr_description>|# Task\s*\n|Task:|Question:|TASK:)\s*/;
const NOTHING = /^\(?(?:no objective (?:recorded|left)|unknown|untitled|none|n\/a)\)?\.?$/i;

/**
 * Derives a short name from the objective of a run; undefined if it has no content.
 *
 * @param objective - the full objective.
 * @param shared - number of characters at its beginning that other runs share.
 */
export function shortObjective(objective: string, shared = 0): string | undefined {
  const own = objective.slice(shared).replace(TEMPLATE, '');
  const text = readable(own.trim().length < SHORTEST ? objective : own);
  if (NOTHING.test(text)) return undefined;
  const heading = own.trim().split('\n', 4);
  const isIssue = heading.length > 2 && !GREETING.test(text);
  const withoutGreeting = readable(isIssue ? (heading[0] ?? '') : text).replace(GREETING, '');
  const sentences = withoutGreeting.split(/(?<=[.!?…])\s+(?=\S)/).slice(0, FIRST_SENTENCES);
  const wishes = sentences.flatMap((sentence) => {
    const wish = WISH.exec(sentence);
    const rest = wish === null ? '' : sentence.slice(wish.index + wish[0].length).trim();
    if (rest.length < SHORTEST || EMPTY_WISH.test(rest)) return [];
    return [THING.test(rest) ? `Help with ${rest}` : rest];
  });
  const said = wishes[0] ?? sentences.find(({ length }) => length >= SHORTEST) ?? withoutGreeting;
  const best = said.replace(/[\s.!:;,…]+$/, '');
  if (best.length < 3) return text.length < 3 ? undefined : cut(text);
  return cut(best.charAt(0).toUpperCase() + best.slice(1));
}

/** Removes Markdown marks, URLs and images, and joins the lines. */
function readable(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
    .replaceAll(/\[image\]|data:[\w/+.-]+;base64,\S+/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/[#*`>|]{1,6}|(?<!\w)_{1,3}|_{1,3}(?!\w)/g, ' ')
    .replaceAll(/<\/?[a-z][^<>]{0,80}>/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  const space = text.lastIndexOf(' ', LONGEST - 1);
  return `${text.slice(0, space > LONGEST / 2 ? space : LONGEST - 1).replace(/[\s,;:.-]+$/, '')}…`;
}

/**
 * Counts the characters at the beginning of each text that another text shares, up to the end of a
 * sentence or line: the template that a benchmark puts before its tasks. 0 for texts that are equal
 * to another.
 */
export function sharedBeginnings(texts: readonly string[]): number[] {
  const order = [...texts.keys()].sort((a, b) => compare(texts[a] ?? '', texts[b] ?? ''));
  const shared = new Array<number>(texts.length).fill(0);
  for (const [at, place] of order.entries()) {
    const text = texts[place] ?? '';
    const neighbors = [texts[order[at - 1] ?? -1], texts[order[at + 1] ?? -1]];
    const lengths = neighbors.map((other) =>
      other === undefined || other === text ? 0 : commonLength(text, other),
    );
    const most = Math.max(...lengths);
    // Messages of people also share beginnings such as greetings, which are not templates.
    if (most < SHARED_BEGINNING || GREETING.test(text.trimStart())) continue;
    const ends = [...text.slice(0, most).matchAll(/[.!?:]\s|\n/g)];
    const last = ends.at(-1);
    const end = last === undefined ? 0 : last.index + last[0].length;
    shared[place] = end >= SHARED_BEGINNING && text.length - end >= SHORTEST ? end : 0;
  }
  return shared;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length, 4000);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}

/** Summarizes a run, such as `37 steps, failed at update_reservation`. */
export function howItWent(
  run: Pick<ReportRun, 'steps' | 'success'>,
  tools: readonly string[],
): string {
  const { length } = run.steps.kinds;
  if (length === 0) return run.success === null ? '' : run.success ? 'succeeded' : 'failed';
  const steps = `${length.toLocaleString('en-US')} step${length === 1 ? '' : 's'}`;
  if (run.success === true) return `${steps}, succeeded`;
  if (run.success === null) return steps;
  const failing = failingTool(run, tools);
  if (failing !== undefined) return `${steps}, failed at ${failing}`;
  const last = toolBefore(run, length - 1, tools);
  return last === undefined ? `${steps}, failed` : `${steps}, failed after ${last}`;
}

/** Returns the tool of the last error of a run. */
export function failingTool(
  run: Pick<ReportRun, 'steps'>,
  tools: readonly string[],
): string | undefined {
  const error = run.steps.errors.at(-1);
  return error === undefined ? undefined : toolBefore(run, error, tools);
}

function toolBefore(
  { steps }: Pick<ReportRun, 'steps'>,
  step: number,
  tools: readonly string[],
): string | undefined {
  for (let at = step; at >= 0; at--) {
    const tool = tools[steps.tools[at] ?? -1];
    if (tool !== undefined) return tool;
  }
  return undefined;
}

/** Returns the name of a run without a visible objective: its task, or its domain and its tools. */
export function nameWithoutObjective(
  run: Pick<ReportRun, 'task' | 'domain' | 'steps'>,
  tools: readonly string[],
): string {
  if (run.task !== undefined) return `Task ${run.task}`;
  const used = [...new Set(run.steps.tools)].flatMap((place) => tools[place] ?? []);
  const kind = run.domain === undefined || run.domain === 'default' ? 'Run' : `${run.domain} run`;
  const named = used.slice(0, 3).join(', ') + (used.length > 3 ? ' …' : '');
  const name = used.length === 0 ? `${kind} without tools` : `${kind} with ${named}`;
  return name.charAt(0).toUpperCase() + name.slice(1);
}
