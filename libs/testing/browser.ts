import type { Browser, BrowserContext } from 'playwright-core';

import { chromiumPath } from '../../tools/infra/chromium.mjs';

/** Flags for an isolated browser that sends and fetches only what the test causes. */
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

/** A context of the running browser, with separate cookies and storage. */
export interface TestBrowser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/**
 * The browser of the process, shared by its specs because starting one takes longer than most of
 * them; it ends with the process.
 */
let running: Promise<Browser> | undefined;

const isSpec = (): boolean => process.env['JEST_WORKER_ID'] !== undefined;

/** The first item of the message by which Jest tells a worker to end. */
const JEST_ENDS = 2;

/**
 * Closes the browser when Jest ends the worker or is gone itself: a worker ends once nothing keeps
 * it running, as the connection to a browser does.
 */
const closeWithWorker = (browser: Browser): void => {
  const close = (): void => {
    process.off('message', onMessage).off('disconnect', close);
    void browser.close();
  };
  const onMessage = (message: unknown): void => {
    if (Array.isArray(message) && message[0] === JEST_ENDS) close();
  };
  process.on('message', onMessage).on('disconnect', close);
};

const start = async (): Promise<Browser> => {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('no Chromium here: set CHROMIUM_PATH');
  // Loaded only by specs with a browser, because the module is large.
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  browser.on('disconnected', () => {
    running = undefined;
  });
  if (isSpec()) closeWithWorker(browser);
  return browser;
};

/** Opens a new context in the system's Chromium. It accepts the development certificate. */
export const launchBrowser = async (): Promise<TestBrowser> => {
  running ??= start();
  const browser = await running;
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  return { context, close: () => (isSpec() ? context.close() : browser.close()) };
};

/** For browser specs: `(hasBrowser() ? test : test.skip)('…', …)`. In CI a browser is required. */
export const hasBrowser = (): boolean => chromiumPath() !== undefined;
