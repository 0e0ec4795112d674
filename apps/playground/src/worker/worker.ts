import type { Answer, Request } from '../protocol.ts';
import { createAnalysis } from './analysis.ts';

const handle = createAnalysis((answer: Answer) => postMessage(answer));

addEventListener('message', ({ data }: MessageEvent<Request>) => handle(data));
