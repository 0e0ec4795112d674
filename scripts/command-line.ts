import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Parses a script's command line. With `--help`, prints the usage and exits; with unknown arguments, exits
 * with 2.
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

/** Reports wrong usage and exits with 2. */
export function refuseCommandLine(usage: string, message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}
