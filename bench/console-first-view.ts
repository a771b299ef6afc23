import { launchBrowser } from '#testing';

const VIEWS = 5;

/** A slow network connection: the delay in milliseconds, and the bandwidth in bytes per second. */
const SLOW_LINE = { latency: 400, downloadThroughput: 50 * 1_024, uploadThroughput: 50 * 1_024 };

/** Selects the overview that the server renders into the page, before any script is loaded. */
const FIRST_VIEW = '#first-view';

/** Selects the overview's figures, which the page shows before its charts. */
const NUMBERS = '#attention';
const WHOLE = '#main:has(h1):not(:has(.mantine-Skeleton-root, .mantine-Loader-root))';

interface FirstView {
  /**
   * Milliseconds until the page shows the cases that need attention, rendered by server or script.
   */
  readonly firstMs: number;
  /** Milliseconds until the scripts have replaced the overview that the server rendered. */
  readonly numbersMs: number;
  readonly wholeMs: number;
}

/**
 * Opens the overview once in a new browser profile. Measures the time until its figures, and until
 * the whole page, are shown.
 */
const openOnce = async (url: string, token: string, isSlow: boolean): Promise<FirstView> => {
  const { context, close } = await launchBrowser();
  try {
    await context.addCookies([{ name: 'session', value: token, url }]);
    const page = await context.newPage();
    await page.goto('about:blank');
    if (isSlow) {
      const session = await context.newCDPSession(page);
      await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_LINE });
    }
    const startedMs = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator(`${FIRST_VIEW}, ${NUMBERS}`).first().waitFor();
    const firstMs = performance.now() - startedMs;
    await page.locator(NUMBERS).waitFor();
    const numbersMs = performance.now() - startedMs;
    await page.locator(WHOLE).waitFor();
    return { firstMs, numbersMs, wholeMs: performance.now() - startedMs };
  } finally {
    await close();
  }
};

/**
 * Opens the console's overview several times, each time with an empty browser cache. Returns the
 * loading times in milliseconds. `isSlow`: over a connection with a delay of 400 ms and 50 kB/s.
 */
export const firstViews = async (
  url: string,
  token: string,
  isSlow = false,
): Promise<readonly FirstView[]> => {
  const views: FirstView[] = [];
  for (let view = 0; view < VIEWS; view += 1) views.push(await openOnce(url, token, isSlow));
  return views;
};
