import type { Browser, BrowserContext, Page } from 'playwright-core';

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
  /**
   * The page of a test, which is opened again only after it was closed: a new page starts a process
   * that loads and compiles every script again. No route, header or size of an earlier test remains.
   */
  page(): Promise<Page>;
  close(): Promise<void>;
}

/**
 * The browser of the process, shared by its specs because starting one takes longer than most of
 * them; it ends with the process.
 */
let running: Promise<Browser> | undefined;

const isSpec = (): boolean => process.env['JEST_WORKER_ID'] !== undefined;

/** The first item of the message by which Jest asks a worker to end. */
const JEST_ENDS = 2;

/**
 * Closes the browser when Jest asks the worker to end, or has ended itself: the connection to a
 * browser keeps a process running.
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

const VIEWPORT = { width: 1_280, height: 720 };

const pageOf = async (context: BrowserContext): Promise<Page> => {
  const [page] = context.pages();
  if (page === undefined) return context.newPage();
  for (const kind of ['pageerror', 'console', 'request', 'response']) {
    await page.removeAllListeners(kind);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.setExtraHTTPHeaders({});
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(VIEWPORT);
  return page;
};

/** Opens a new context in the system's Chromium. It accepts the development certificate. */
export const launchBrowser = async (): Promise<TestBrowser> => {
  running ??= start();
  const browser = await running;
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: VIEWPORT,
    // Each frame of a transition is drawn by the processor.
    reducedMotion: 'reduce',
  });
  return {
    context,
    page: () => pageOf(context),
    close: () => (isSpec() ? context.close() : browser.close()),
  };
};

/** For browser specs: `(hasBrowser() ? test : test.skip)('…', …)`. In CI a browser is required. */
export const hasBrowser = (): boolean => chromiumPath() !== undefined;
