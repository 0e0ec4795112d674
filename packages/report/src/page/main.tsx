import { render } from 'preact';
import type { ReportData } from '../report-data.ts';
import { ReportPage } from './report-page.tsx';

/** The data as the page carries them: JSON, gzip, base64. */
async function readData(): Promise<ReportData> {
  const encoded = document.getElementById('data')?.textContent ?? '';
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as ReportData;
}

const place = document.getElementById('page');
if (place !== null) {
  const data = await readData();
  place.textContent = '';
  render(<ReportPage data={data} />, place);
  document.documentElement.dataset.ready = 'true';
}
