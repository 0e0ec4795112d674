import { join } from 'node:path';
import { readCommandLine } from './command-line.ts';
import { findMessages, type Message } from './messages.ts';
import { trackedFiles } from './tracked-files.ts';

const USAGE = `bun run maintain messages [--kp | --errors]

Lists the texts for users, as FILE:LINE: TEXT: every string of the command kp (help, messages
and errors) and the strings of every error of the packages. {…} marks values filled in at run time.

  --kp       only the command
  --errors   only the errors of the packages`;

const COMMAND = /^apps\/cli\/src\/.*\.ts$/;
const PACKAGES = /^packages\/[^/]+\/src\/.*\.tsx?$/;
const LEFT_OUT = /\.test\.tsx?$|\.test-d\.ts$|\/generated\/|\/samples\.ts$/;

const root = join(import.meta.dir, '..');
const { values } = readCommandLine(USAGE, {
  options: { kp: { type: 'boolean' }, errors: { type: 'boolean' } },
});
const both = values.kp === values.errors;
const messages: Message[] = [];
for (const name of await trackedFiles()) {
  if (LEFT_OUT.test(name)) continue;
  const isCommand = COMMAND.test(name) && (both || values.kp === true);
  const isPackage = PACKAGES.test(name) && (both || values.errors === true);
  if (!isCommand && !isPackage) continue;
  const file = Bun.file(join(root, name));
  if (!(await file.exists())) continue;
  messages.push(...findMessages(name, await file.text(), isCommand ? 'sentences' : 'errors'));
}
for (const { file, line, text } of messages) {
  console.log(`${file}:${line}: ${text.replace(/\s+/g, ' ').trim()}`);
}
console.error(`messages: ${messages.length}`);
