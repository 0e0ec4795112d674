import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * The words of a script's command line. With `--help` the usage is printed and the process ends; with
 * words that `config` does not know, it ends with 2.
 */
export function readCommandLine<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    refuseCommandLine(usage, message);
  }
}

/** Ends the process with 2: the words were none that the script can work with. */
export function refuseCommandLine(usage: string, message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}
