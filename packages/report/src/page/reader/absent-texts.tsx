import type { JSX } from 'preact';
import { CopyCommand } from '../copy-command.tsx';

interface AbsentTextsProps {
  readonly command: string | undefined;
  /** Whether the whole page is without texts, or this run alone. */
  readonly isWithheld: boolean;
}

/** Says that texts are not there, and how to have them. */
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
