import { launchBrowser } from '#testing';

const VIEWS = 5;

/** The selector of the overview's figures, which the page shows before its charts. */
const NUMBERS = '#attention';
const WHOLE = '#main:has(h1):not(:has(.mantine-Skeleton-root, .mantine-Loader-root))';

interface FirstView {
  readonly numbersMs: number;
  readonly wholeMs: number;
}

/**
 * Opens the overview once in a new browser profile, and measures the times until the figures and
 * until the whole page are shown.
 */
const openOnce = async (url: string, token: string): Promise<FirstView> => {
  const { context, close } = await launchBrowser();
  try {
    await context.addCookies([{ name: 'session', value: token, url }]);
    const page = await context.newPage();
    await page.goto('about:blank');
    const startedMs = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator(NUMBERS).waitFor();
    const numbersMs = performance.now() - startedMs;
    await page.locator(WHOLE).waitFor();
    return { numbersMs, wholeMs: performance.now() - startedMs };
  } finally {
    await close();
  }
};

/**
 * Opens the console's overview several times, each time with an empty browser cache, and returns
 * the loading times in milliseconds.
 */
export const firstViews = async (url: string, token: string): Promise<readonly FirstView[]> => {
  const views: FirstView[] = [];
  for (let view = 0; view < VIEWS; view += 1) views.push(await openOnce(url, token));
  return views;
};
