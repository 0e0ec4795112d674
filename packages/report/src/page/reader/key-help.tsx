import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const KEYS: readonly (readonly [key: string, what: string])[] = [
  ['j', 'next run'],
  ['k', 'previous run'],
  ['→ ←', 'next or previous step (on the map of steps)'],
  ['e', 'next error'],
  ['r', 'next recovery'],
  ['/', 'search'],
  ['n', 'next search result'],
  ['p', 'previous search result'],
  ['o', 'unfold or fold all texts'],
  ['c', 'compare with another run'],
  ['Esc', 'back to all runs'],
  ['?', 'this list'],
];

/** The keys of the reader. */
export function KeyHelp({ onClose }: { onClose(): void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="Keys">
      <h2>Keys</h2>
      <p class="quiet">E and R in upper case go backwards.</p>
      <dl class="facts">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
