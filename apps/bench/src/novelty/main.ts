import { noveltyCommand } from './novelty-command.ts';

process.exitCode = await noveltyCommand(process.argv.slice(2));
