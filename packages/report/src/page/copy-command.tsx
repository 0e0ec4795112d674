import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';

interface CopyCommandProps {
  readonly label: string;
  readonly command: string;
}

/** Shows a command for a terminal, with a button that copies it. */
export function CopyCommand({ label, command }: CopyCommandProps): JSX.Element {
  const code = useRef<HTMLElement>(null);
  const [state, setState] = useState('Copy');
  function copy(): void {
    const { clipboard } = navigator as { clipboard?: Clipboard };
    // A page from disk may have no clipboard access; it then selects the command, so that the
    // reader can copy it.
    const select = (): void => {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      setState('Selected');
    };
    if (clipboard === undefined) select();
    else clipboard.writeText(command).then(() => setState('Copied'), select);
  }
  return (
    <p class="command">
      {label}: <code ref={code}>{command}</code>{' '}
      <button type="button" onClick={copy} aria-live="polite">
        {state}
      </button>
    </p>
  );
}
