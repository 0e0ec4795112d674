// What is one trace worth? One call, one number.
import { evaluateValue, parseTrace } from '@knowledgepulse/sdk';

const file = Bun.file(new URL('traces/single-trace.json', import.meta.url));
const trace = parseTrace(await file.json());

console.log(trace.task.objective);
console.log((await evaluateValue(trace)).toFixed(3));

// Prints:
// The export of GET /v2/orders lacks the last page when the number of orders is a multiple of 100; fix it without changing the API
// 0.926
