import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from './needs.ts';

export function launchChromium(): Promise<Browser> {
  // Root, which CI often is, gets no sandbox from Chromium. A busy machine starts it slowly.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: 120_000 });
}
