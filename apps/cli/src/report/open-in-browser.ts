import { messageOf } from '@kp/foundation';
import { say } from '../output/terminal.ts';

/** Opens a page by its path or URL; prints a message if there is no browser. */
export async function openInBrowser(path: string): Promise<void> {
  const { default: open } = await import('open');
  try {
    const child = await open(path);
    child.on('error', (error) => say(`--open: ${messageOf(error)}`));
  } catch (error) {
    say(`--open: ${messageOf(error)}`);
  }
}
