import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';

/** The state of the view: the run, the search, the filters, the order. */
export interface Address {
  readonly parameters: URLSearchParams;
  /**
   * Changes parameters; undefined removes one.
   *
   * @param how - `push`: the Back button of the browser restores the previous state.
   */
  change(changes: Readonly<Record<string, string | undefined>>, how: 'push' | 'replace'): void;
}

// Key of the state of the view in the history of a page without its own address.
const STATE_KEY = 'kpReport';

/**
 * @param hasAddress - whether the address contains the state of the view after the `#`; otherwise
 * only the history does, for a page that uses its address for something else.
 */
export function useAddress(hasAddress: boolean): Address {
  const [text, setText] = useState(() => read(hasAddress));
  useEffect(() => {
    const follow = (): void => setText(read(hasAddress));
    addEventListener('popstate', follow);
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener('hashchange', follow);
    };
  }, [hasAddress]);
  const change = useCallback<Address['change']>(
    (changes, how) => {
      const next = new URLSearchParams(read(hasAddress));
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) next.delete(name);
        else next.set(name, value);
      }
      const written = next.toString();
      if (written === read(hasAddress)) return;
      write(written, hasAddress, how);
      setText(written);
    },
    [hasAddress],
  );
  return useMemo(() => ({ parameters: new URLSearchParams(text), change }), [text, change]);
}

function read(hasAddress: boolean): string {
  if (hasAddress) return new URLSearchParams(location.hash.slice(1)).toString();
  const state: unknown = history.state;
  const kept: unknown =
    typeof state === 'object' && state !== null ? Reflect.get(state, STATE_KEY) : undefined;
  return typeof kept === 'string' ? kept : '';
}

function write(text: string, hasAddress: boolean, how: 'push' | 'replace'): void {
  const bare = location.pathname + location.search;
  const target = hasAddress ? (text === '' ? bare : `#${text}`) : undefined;
  const state = hasAddress ? history.state : { ...history.state, [STATE_KEY]: text };
  if (how === 'push') history.pushState(state, '', target);
  else history.replaceState(state, '', target);
}
