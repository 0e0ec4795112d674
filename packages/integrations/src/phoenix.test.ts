import { describe, expect, it } from 'bun:test';
import { createClient } from '@arizeai/phoenix-client';
import { FACTS, readRun, SPAN } from '../test/scored-run.ts';
import { stubServer } from '../test/stub-server.ts';
import { watchScores } from '../test/watch-scores.ts';
import { createLiveScorer } from './live/live-scorer.ts';
import { createPhoenixScores } from './phoenix.ts';

function watching(answer: () => Response | Promise<Response>, sendTimeoutMs = 10_000) {
  const { url, requests } = stubServer(answer);
  const headers = { Authorization: 'Bearer key' };
  const client = createClient({ options: { baseUrl: url, headers } });
  const watched = watchScores({ sendTo: createPhoenixScores({ client }), sendTimeoutMs });
  return { ...watched, requests, live: createLiveScorer(watched.options) };
}

const created = () => Response.json({ data: [{ id: 'U3BhbkFubm90YXRpb246MQ==' }] });

describe('createPhoenixScores', () => {
  it('sends an annotation in the format of the REST API without content of the run', async () => {
    const { live, requests, scores, errors } = watching(created);
    live.add(() => readRun(), FACTS);
    await live.flush();
    expect(errors).toEqual([]);
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/v1/span_annotations?sync=true',
        authorization: 'Bearer key',
        body: {
          data: [
            {
              span_id: SPAN.spanId,
              name: 'knowledgepulse',
              annotator_kind: 'CODE',
              identifier: expect.stringMatching(/^[0-9a-f]{32}$/),
              result: {
                score: scores[0]?.report.score,
                explanation: expect.stringMatching(/^0\.100 by the weights of default: /),
              },
              metadata: expect.objectContaining({ run: 'r1', success: 'assumed' }),
            },
          ],
        },
      },
    ]);
    expect(JSON.stringify(requests)).not.toMatch(/4711|ferry/);
  });

  it('updates the same annotation when the outcome becomes known', async () => {
    const { live, requests, errors } = watching(created);
    live.add(() => readRun(), FACTS);
    await live.flush();
    live.setOutcome('r1', { grade: 0.2 });
    await live.flush();
    expect(errors).toEqual([]);
    const [first, second] = requests.map(({ body }) => Reflect.get(body as object, 'data')[0]);
    expect(requests).toHaveLength(2);
    expect(second.identifier).toBe(first.identifier);
    expect(second.metadata).toMatchObject({ success: 'labelled', grade: 0.2 });
  });

  it('reports an unknown span and an unresponsive server', async () => {
    const unknown = watching(() => new Response('Spans with IDs b7 do not exist', { status: 404 }));
    unknown.live.add(() => readRun(), FACTS);
    await unknown.live.flush();
    expect(unknown.scores).toHaveLength(1);
    expect(unknown.errors.map(({ code }) => code)).toEqual(['SENDING_FAILED']);
    expect(unknown.errors[0]?.received).toContain('404');

    const silent = watching(() => new Promise(() => undefined), 50);
    silent.live.add(() => readRun(), FACTS);
    await silent.live.flush();
    expect(silent.errors.map(({ received }) => received)).toEqual(['no answer within 50 ms']);
  });

  it('rejects an unknown option', () => {
    expect(() => createPhoenixScores({ scoreName: 'worth' } as never)).toThrow(
      'received scoreName',
    );
  });
});
