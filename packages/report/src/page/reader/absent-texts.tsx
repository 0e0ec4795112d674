import type { JSX } from 'preact';
import { CopyCommand } from '../copy-command.tsx';

interface AbsentTextsProps {
  readonly command: string | undefined;
  /** Whether the whole page has no texts, or only this run. */
  readonly isWithheld: boolean;
}

/** Explains that the texts are missing, and how to include them. */
export function AbsentTexts({ command, isWithheld }: AbsentTextsProps): JSX.Element {
  if (!isWithheld) return <p class="note">The texts of this run are not on this page.</p>;
  return (
    <div class="note">
      <p>The texts of the runs are not on this page: it shows steps and scores only.</p>
      {command !== undefined && (
        <CopyCommand label="To read them, run this; secrets are masked" command={command} />
      )}
    </div>
  );
}
