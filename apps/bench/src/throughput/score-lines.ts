import { reportUsage } from './usage.ts';

// Runs the built kp in this process: `kp score --json -q --jobs JOBS FILE`.
const [runtime = '', program = '', file = '', jobs = '1'] = process.argv;
process.argv = [runtime, program, 'score', '--json', '-q', '--jobs', jobs, file];
process.on('exit', () => reportUsage(undefined));
const kp: string = new URL('../../../cli/dist/main.js', import.meta.url).href;
await import(kp);
