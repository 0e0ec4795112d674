import { gunzipSync } from 'node:zlib';
import type { ReportData } from '@kp/report';

/** What a page shows. */
export async function dataOf(path: string): Promise<ReportData> {
  const html = await Bun.file(path).text();
  const [, encoded = ''] = html.match(/id="data">([^<]*)</) ?? [];
  return JSON.parse(gunzipSync(Buffer.from(encoded, 'base64')).toString());
}

/** The texts of a page, as JSON. */
export async function textsOf(path: string): Promise<string> {
  const html = await Bun.file(path).text();
  const chunks = [...html.matchAll(/data-first="\d+">([^<]*)</g)];
  return chunks.map(([, encoded = '']) => gunzipSync(Buffer.from(encoded, 'base64'))).join('');
}
