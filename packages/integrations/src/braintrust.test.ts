import { describe, expect, it } from 'bun:test';
import { FACTS, readRun, SPAN } from '../test/scored-run.ts';
import { type ReceivedRequest, stubServer } from '../test/stub-server.ts';
import { watchScores } from '../test/watch-scores.ts';
import { createBraintrustScores } from './braintrust.ts';
import { createLiveScorer } from './live/live-scorer.ts';

/** A stub of the Braintrust API with the endpoints that its client uses. */
function braintrust(store: (request: ReceivedRequest) => Response, failedLogins = 0) {
  let logins = 0;
  let url = '';
  const stub = stubServer((request) => {
    if (request.path === '/api/apikey/login') {
      if (++logins <= failedLogins) return new Response('down', { status: 503 });
      return Response.json({ org_info: [{ id: 'o1', name: 'org', api_url: url }] });
    }
    if (request.path === '/api/project/register') {
      return Response.json({ project: { id: 'p1', name: 'ferry' } });
    }
    if (request.path === '/version') return Response.json({});
    return store(request);
  });
  url = stub.url;
  const sendTo = createBraintrustScores({ projectName: 'ferry', apiKey: 'key', appUrl: url });
  const watched = watchScores({ sendTo });
  const stored = () => stub.requests.filter(({ path }) => path === '/logs3');
  return { ...watched, stub, stored, live: createLiveScorer(watched.options) };
}

const created = () => Response.json({ ids: ['stored'] });

describe('createBraintrustScores', () => {
  it('sends nothing before the first score', async () => {
    const { stub, live } = braintrust(created);
    await live.flush();
    expect(stub.requests).toEqual([]);
  });

  it('reports a function for the row that rejects, without a request', async () => {
    const rowOf = (async () => Promise.reject(new Error('no row'))) as unknown as () => string;
    const { options, errors } = watchScores({ sendTo: createBraintrustScores({ rowOf }) });
    const live = createLiveScorer(options);
    live.add(() => readRun(), FACTS);
    await live.flush();
    expect(errors.map(({ code, received }) => [code, received])).toEqual([
      ['SENDING_FAILED', 'no row'],
    ]);
  });

  it('adds the score to the row of the run without its content', async () => {
    const { live, stored, scores, errors } = braintrust(created);
    live.add(() => readRun(), FACTS);
    await live.flush();
    expect(errors).toEqual([]);
    expect(stored()).toMatchObject([
      {
        method: 'POST',
        authorization: 'Bearer key',
        body: {
          rows: [
            {
              id: SPAN.spanId,
              project_id: 'p1',
              log_id: 'g',
              scores: { knowledgepulse: scores[0]?.report.score },
              _is_merge: true,
              _audit_source: 'external',
              _audit_metadata: { run: 'r1', success: 'assumed' },
            },
          ],
        },
      },
    ]);
    expect(JSON.stringify(stored())).not.toMatch(/4711|leave/);
  });

  it('replaces the score of the same row when the outcome becomes known', async () => {
    const { live, stored, errors } = braintrust(created);
    live.add(() => readRun(), FACTS);
    await live.flush();
    live.setOutcome('r1', { success: false });
    await live.flush();
    expect(errors).toEqual([]);
    expect(stored().map(({ body }) => Reflect.get(body as object, 'rows')[0].id)).toEqual([
      SPAN.spanId,
      SPAN.spanId,
    ]);
  });

  it('reports rows that were not stored', async () => {
    const { live, scores, errors } = braintrust(() => new Response('no', { status: 403 }));
    live.add(() => readRun(), FACTS);
    await live.flush(20_000);
    expect(scores).toHaveLength(1);
    expect(errors.map(({ code, subject }) => [code, subject])).toEqual([
      ['SENDING_FAILED', 'score of r1 for braintrust'],
    ]);
    expect(errors[0]?.received).toContain('403');
  }, 30_000);

  it('logs in again for the next score if it failed', async () => {
    const { live, stored, errors } = braintrust(created, 1);
    live.add(() => readRun('r1'), FACTS);
    await live.flush(20_000);
    live.add(() => readRun('r2'), FACTS);
    await live.flush(20_000);
    expect(errors.map(({ subject }) => subject)).toEqual(['score of r1 for braintrust']);
    expect(stored()).toHaveLength(1);
  }, 30_000);

  it('rejects an unknown option', () => {
    expect(() => createBraintrustScores({ scoreName: 'worth' } as never)).toThrow(
      'received scoreName',
    );
  });
});
