import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContext } from 'playwright-core';

import { chromiumPath } from '../../tools/infra/chromium.mjs';

/** Quiet and alone: nothing is fetched or sent but what the test does. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A running browser with a profile of its own. */
export interface TestBrowser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** Starts the system's Chromium with a fresh profile. It accepts the development certificate. */
export const launchBrowser = async (): Promise<TestBrowser> => {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('no Chromium here: set CHROMIUM_PATH');
  // Large, and for the few specs that have a browser only.
  const { chromium } = await import('playwright-core');
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: FLAGS,
    ignoreHTTPSErrors: true,
  });
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
};

/** For browser specs: `(hasBrowser() ? test : test.skip)('…', …)`. In CI there always is one. */
export const hasBrowser = (): boolean => chromiumPath() !== undefined;
