import { useEffect, useState } from 'preact/hooks';

export type Theme = 'light' | 'dark';

const KEY = 'kp-report-theme';

/** Light or dark: as the system has it, until the reader chooses. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => remembered() ?? preferred());
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [
    theme,
    () => {
      const next = theme === 'dark' ? 'light' : 'dark';
      setTheme(next);
      remember(next);
    },
  ];
}

function preferred(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

// Where a page may not store anything, asking throws; the choice then lasts as long as the page.
function remembered(): Theme | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'dark' || stored === 'light' ? stored : undefined;
  } catch {
    return undefined;
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    return;
  }
}
