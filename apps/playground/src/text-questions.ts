import type { RunTranscript } from '@kp/report';
import type { TextSource } from '@kp/report/page';
import type { Answer, Request, SearchPart } from './protocol.ts';

/** Requests texts from a worker, and passes its answers to the callers. */
export interface TextQuestions {
  readonly source: TextSource;
  take(answer: Extract<Answer, { kind: 'texts' | 'found' }>): void;
  /** Ends all requests because the worker has ended. */
  end(): void;
}

interface Waiting {
  readonly resolve: (transcript?: RunTranscript) => void;
  readonly reject: (error: Error) => void;
  readonly onPart?: (part: SearchPart) => void;
}

export function createTextQuestions(post: (request: Request) => void): TextQuestions {
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
  function ask(request: (id: number) => Request, onPart?: Waiting['onPart']) {
    return new Promise<RunTranscript | undefined>((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, { resolve, reject, onPart });
      post(request(id));
    });
  }
  return {
    source: {
      read: (place) => ask((id) => ({ kind: 'texts', id, place })),
      async search(query, onPart, signal) {
        signal.addEventListener('abort', () => post({ kind: 'search', id: nextId++, query: '' }));
        await ask((id) => ({ kind: 'search', id, query }), onPart);
      },
    },
    take(answer) {
      const question = waiting.get(answer.id);
      if (answer.kind === 'texts') question?.resolve(answer.transcript);
      else question?.onPart?.(answer.part);
      if (answer.kind === 'found' && answer.part.done < 1) return;
      if (answer.kind === 'found') question?.resolve();
      waiting.delete(answer.id);
    },
    end() {
      for (const { reject } of waiting.values()) reject(new Error('the files were closed'));
      waiting.clear();
    },
  };
}
