import { bandsOf, outcomeOf, reasonFor, shortId, titleOf, verdictOf } from './describe-runs.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './generated/page.ts';
import { escapeHtml } from './plain-text.ts';
import type { ReportData, ReportRun } from './report-data.ts';

// Rows that a reader sees without a script, the best first.
const STATIC_ROWS = 50;

/**
 * One HTML file that holds everything it shows: it loads nothing, sends nothing and opens from disk.
 * The verdict and the first rows are plain HTML; the pictures need a script. The same data give the
 * same bytes.
 *
 * @param data - from {@link createReportData}.
 */
export async function renderReport(data: ReportData): Promise<string> {
  const title = escapeHtml(data.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${await policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<div id="page">
<header><h1><bdi>${title}</bdi></h1></header>
<main>
${staticVerdict(data)}
${staticPicks(data)}
${staticTable(data)}
</main>
</div>
<script type="application/octet-stream" id="data">${await encoded(data)}</script>
<script type="module">${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** Nothing but this style and this script; no requests, no frames, no forms. */
async function policy(): Promise<string> {
  return [
    "default-src 'none'",
    `script-src ${await hashOf(PAGE_SCRIPT)}`,
    `style-src ${await hashOf(PAGE_STYLE)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${base64(new Uint8Array(digest))}'`;
}

async function encoded(data: ReportData): Promise<string> {
  const json = new Blob([JSON.stringify(data)]).stream();
  const compressed = json.pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
  // This byte of the header names the platform that compressed; it must not change the page.
  bytes[9] = 255;
  return base64(bytes);
}

// More at once are too many arguments for a call.
const BYTES_AT_ONCE = 0x8000;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(at, at + BYTES_AT_ONCE));
  }
  return btoa(text);
}

function staticVerdict(data: ReportData): string {
  const sentences = verdictOf(data).map((each) => `<p>${escapeHtml(each)}</p>`);
  const bands = bandsOf(data).map(({ name, runs }) => `${name}: ${runs}`);
  if (data.runs.length > 0) sentences.push(`<p><small>${bands.join(' · ')}</small></p>`);
  const notes = data.notes.map(({ level, about = 'note', text }) => {
    const words = `<strong>${escapeHtml(about)}</strong> <bdi>${escapeHtml(text)}</bdi>`;
    return `<li class="${level}">${words}</li>`;
  });
  const list = notes.length === 0 ? '' : `<ul class="notes">${notes.join('')}</ul>`;
  return `<section class="verdict" aria-label="Verdict"><div>${sentences.join('')}</div>${list}</section>`;
}

function staticPicks(data: ReportData): string {
  const places = data.picks?.runs ?? [];
  if (places.length === 0) return '';
  const items = places.map((place, pick) => {
    const run = data.runs[place];
    if (run === undefined) return '';
    const what = escapeHtml(titleOf(run));
    return `<li>${run.score.toFixed(2)} <bdi>${what}</bdi> <small>${escapeHtml(reasonFor(data, pick))}</small></li>`;
  });
  return `<section><h2>Read these ${places.length} first</h2><ol>${items.join('')}</ol></section>`;
}

function staticTable(data: ReportData): string {
  const best = data.runs.toSorted((a, b) => b.score - a.score).slice(0, STATIC_ROWS);
  const rest = data.runs.length - best.length;
  const more = rest === 0 ? '' : `<p>${rest} further runs are shown where scripts may run.</p>`;
  const headings = ['Score', 'Run', 'Task', 'Outcome', 'Steps'];
  return `<section><h2>All runs</h2><table><thead><tr>${headings
    .map((each) => `<th scope="col">${each}</th>`)
    .join('')}</tr></thead><tbody>${best.map(staticRow).join('')}</tbody></table>${more}</section>`;
}

function staticRow(run: ReportRun): string {
  const cells = [
    shortId(run.id),
    run.objective ?? run.task ?? '',
    outcomeOf(run),
    String(run.steps.kinds.length),
  ];
  return `<tr><td class="number">${run.score.toFixed(3)}</td>${cells
    .map((each) => `<td><bdi>${escapeHtml(each)}</bdi></td>`)
    .join('')}</tr>`;
}
