import { describe, expect, it } from 'bun:test';
import { LangfuseClient } from '@langfuse/client';
import { FACTS, readRun, SPAN } from '../test/scored-run.ts';
import { stubServer } from '../test/stub-server.ts';
import { watchScores } from '../test/watch-scores.ts';
import { createLangfuseScores } from './langfuse.ts';
import { createLiveScorer } from './live/live-scorer.ts';

const AUTHORIZATION = `Basic ${btoa('pk-test:sk-test')}`;

function watching(answer: () => Response | Promise<Response>, sendTimeoutMs = 10_000) {
  const { url, requests } = stubServer(answer);
  const client = new LangfuseClient({
    publicKey: 'pk-test',
    secretKey: 'sk-test',
    baseUrl: url,
  });
  const sendTo = createLangfuseScores({ client });
  const watched = watchScores({ sendTo, sendTimeoutMs });
  return { ...watched, requests, live: createLiveScorer(watched.options) };
}

const created = () => Response.json({ id: 'stored' });

describe('createLangfuseScores', () => {
  it('sends the fields that the scores API requires and no content of the run', async () => {
    const { live, requests, scores, errors } = watching(created);
    live.add(() => readRun(), FACTS);
    await live.flush();
    expect(errors).toEqual([]);
    const { report } = scores[0] ?? {};
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/api/public/scores',
        authorization: AUTHORIZATION,
        body: {
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          traceId: SPAN.traceId,
          name: 'knowledgepulse',
          value: report?.score,
          dataType: 'NUMERIC',
          comment: expect.stringMatching(/^0\.100 by the weights of default: /),
          metadata: {
            run: 'r1',
            trace: scores[0]?.trace.id,
            span: SPAN.spanId,
            profile: 'default',
            dimensions: report?.dimensions,
            rules: ['single_thought'],
            novelty: 'no_embedder',
            success: 'assumed',
          },
        },
      },
    ]);
    expect(JSON.stringify(requests)).not.toMatch(/4711|ferry/);
  });

  it('updates the same score when the outcome becomes known', async () => {
    const { live, requests, errors } = watching(created);
    live.add(() => readRun(), FACTS);
    await live.flush();
    live.setOutcome('r1', { success: false, by: 'user' });
    await live.flush();
    expect(errors).toEqual([]);
    const [first, second] = requests.map(({ body }) => body as Record<string, unknown>);
    expect(requests).toHaveLength(2);
    expect(second?.id).toBe(first?.id);
    expect(second?.metadata).toMatchObject({ success: 'labelled', verdict: 'user' });
  });

  it('reports invalid keys, and the run keeps its score', async () => {
    const { live, scores, errors } = watching(() =>
      Response.json({ message: 'Invalid credentials' }, { status: 401 }),
    );
    live.add(() => readRun(), FACTS);
    await live.flush();
    expect(scores).toHaveLength(1);
    expect(errors.map(({ code, subject }) => [code, subject])).toEqual([
      ['SENDING_FAILED', 'score of r1 for langfuse'],
    ]);
    expect(errors[0]?.received).toContain('Invalid credentials');
  });

  it('aborts a request without a response', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const { url } = stubServer(() => new Promise(() => undefined));
    const real = new LangfuseClient({ publicKey: 'pk', secretKey: 'sk', baseUrl: url });
    type Create = typeof real.api.scores.create;
    const create = (...[score, options]: Parameters<Create>) => {
      options?.abortSignal?.addEventListener('abort', () => resolve());
      return real.api.scores.create(score, options);
    };
    const sendTo = createLangfuseScores({ client: { api: { scores: { create } } } });
    const { options, errors } = watchScores({ sendTo, sendTimeoutMs: 50 });
    const live = createLiveScorer(options);
    live.add(() => readRun(), FACTS);
    await live.flush();
    await aborted;
    expect(errors.map(({ code, received }) => [code, received])).toEqual([
      ['SENDING_FAILED', 'no answer within 50 ms'],
    ]);
  });

  it('reports a run with an unknown span', async () => {
    const { live, requests, errors } = watching(created);
    live.add(() => readRun());
    await live.flush();
    expect(requests).toEqual([]);
    expect(errors.map(({ code, remedy }) => [code, remedy])).toEqual([
      ['OPTION_INVALID', 'give the facts of the run its span: { span: { traceId, spanId } }'],
    ]);
  });

  it('rejects a client of another version', () => {
    const client = { score: () => undefined };
    expect(() => createLangfuseScores({ client: client as never })).toThrow(
      'client of langfuse: expected a LangfuseClient of @langfuse/client 4 or 5',
    );
  });

  it('rejects an unknown option', () => {
    expect(() => createLangfuseScores({ scoreName: 'worth' } as never)).toThrow(
      'received scoreName',
    );
  });
});
