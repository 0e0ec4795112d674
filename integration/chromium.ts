import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The browser that the tests drive; scripts/install-chromium.sh says how to get it. */
export const CHROMIUM: string = process.env.KP_CHROMIUM ?? '/usr/bin/chromium';

/** Elsewhere tests that need it are skipped and say so; in CI a missing browser is a failure. */
export const isChromiumMissing: boolean = !existsSync(CHROMIUM) && process.env.CI === undefined;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}
