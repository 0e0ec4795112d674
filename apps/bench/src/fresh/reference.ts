// A fixed amount of typical start-up work: compiling functions, running each once, parsing.
let sum = 0;
for (let index = 0; index < 600; index++) {
  const body = Array.from({ length: 12 }, (_, line) => `a = (a * ${index} + ${line}) | 0;`);
  sum += new Function('a', `${body.join(' ')} return a;`)(index);
}
const entries = Array.from({ length: 20_000 }, (_, index) => ({ name: `entry ${index}`, index }));
if (JSON.parse(JSON.stringify(entries)).length !== entries.length || !Number.isFinite(sum)) {
  process.exitCode = 1;
}
