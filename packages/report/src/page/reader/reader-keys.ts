import { useLayoutEffect, useRef } from 'preact/hooks';

/** The actions of the reader's keys. */
export type ReaderAction =
  | 'nextRun'
  | 'previousRun'
  | 'nextError'
  | 'previousError'
  | 'nextRecovery'
  | 'previousRecovery'
  | 'nextFound'
  | 'previousFound'
  | 'search'
  | 'unfold'
  | 'compare'
  | 'help'
  | 'close';

const KEYS: Readonly<Record<string, ReaderAction>> = {
  j: 'nextRun',
  k: 'previousRun',
  e: 'nextError',
  E: 'previousError',
  r: 'nextRecovery',
  R: 'previousRecovery',
  n: 'nextFound',
  p: 'previousFound',
  '/': 'search',
  o: 'unfold',
  c: 'compare',
  '?': 'help',
  Escape: 'close',
};

/** Listens for the keys of the reader, except while the focus is in a text field. */
export function useReaderKeys(
  actions: Readonly<Record<ReaderAction, () => void>>,
  isListening: boolean,
): void {
  const current = useRef(actions);
  current.current = actions;
  // Runs before the next paint, so that a key right after closing the help is not lost.
  useLayoutEffect(() => {
    if (!isListening) return undefined;
    const press = (event: KeyboardEvent): void => {
      const action = KEYS[event.key];
      if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) {
        // Escape leaves the field, but not the reader.
        if (event.key === 'Escape') (event.target as HTMLElement).blur();
        return;
      }
      event.preventDefault();
      current.current[action]();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isListening]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('input:not([type=range]), textarea, select') || target.isContentEditable;
}
