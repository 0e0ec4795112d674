import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from './needs.ts';

export function launchChromium(): Promise<Browser> {
  // Root, which CI often is, gets no sandbox from Chromium.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}
