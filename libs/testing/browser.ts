import type { Browser, BrowserContext, Page } from 'playwright-core';

import { chromiumPath } from '../../tools/infra/chromium.mjs';

/** Flags that isolate the browser, which then sends only the requests of the test. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  // Pages are short-lived: optimising their scripts takes longer than it saves.
  '--js-flags=--no-opt',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A context of the browser, with its own cookies and storage. */
export interface TestBrowser {
  readonly context: BrowserContext;
  /**
   * The page of the context, which stays open between tests. It is opened again only after a test
   * has closed it, because the process of a new page loads and compiles every script again. Routes,
   * headers and the size that an earlier test has set are reset.
   */
  page(): Promise<Page>;
  close(): Promise<void>;
}

/**
 * The browser of this process. All specs of the process share the browser, because starting a
 * browser takes longer than most specs. The browser ends with the process.
 */
let running: Promise<Browser> | undefined;

const isSpec = (): boolean => process.env['JEST_WORKER_ID'] !== undefined;

/** The first item of the message by which Jest asks a worker to end. */
const JEST_ENDS = 2;

/**
 * Closes the browser when Jest asks the worker process to end, or when Jest itself has ended: an
 * open connection to the browser would keep the worker process running.
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
  if (executablePath === undefined)
    throw new Error('no Chromium was found: set CHROMIUM_PATH to a Chromium or Chrome');
  // Imported only when a spec needs a browser, because the module is large.
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

/**
 * Opens a new context in the installed Chromium; the context accepts the development certificate.
 */
export const launchBrowser = async (): Promise<TestBrowser> => {
  running ??= start();
  const browser = await running;
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: VIEWPORT,
    // Animations are turned off, because each of their frames costs processor time.
    reducedMotion: 'reduce',
  });
  return {
    context,
    page: () => pageOf(context),
    close: () => (isSpec() ? context.close() : browser.close()),
  };
};

/**
 * For specs with a browser: `(hasBrowser() ? test : test.skip)('…', …)`. In CI a missing browser is
 * an error.
 */
export const hasBrowser = (): boolean => chromiumPath() !== undefined;
