import { violationsInBoth } from './axe.mjs';
import { chromiumPath } from './chromium.mjs';
import { serveDocs } from './docs-server.mjs';

const SCREEN = { width: 1_440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** The checked pages: those that customers read first, and a page with large diagrams. */
const MAIN = [
  '/index.html',
  '/docs/quick-start.html',
  '/docs/concepts.html',
  '/docs/guides/take-a-payment.html',
  '/docs/generated/errors.html',
  '/docs-site/reference/api.html',
  '/docs-site/reference/api/orders.html',
  '/docs-site/reference/events.html',
  '/docs-site/reference/events/orders.html',
  '/CHANGELOG.html',
  '/docs/architecture.html',
];

/** Selects the first operation or event on each checked reference page. */
const FIRST = {
  '/docs-site/reference/api.html': '.routes a',
  '/docs-site/reference/api/orders.html': '.route',
  '/docs-site/reference/events.html': '.routes a',
  '/docs-site/reference/events/orders.html': '.operation',
};

/** @param {import('playwright-core').Page} page @param {string} path @param {string} first */
const beginFault = async (page, path, first) => {
  const box = await page.locator(first).first().boundingBox();
  const top = Math.round(box?.y ?? Infinity);
  return top < SCREEN.height ? [] : [`${path}: the first operation begins at ${top} px`];
};

/** @param {import('playwright-core').Page} page @param {string} path */
const widthFault = async (page, path) => {
  await page.setViewportSize(PHONE);
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  await page.setViewportSize(SCREEN);
  return width <= PHONE.width ? [] : [`${path}: is ${width} px wide on a phone`];
};

/**
 * Searches the site for an error code; returns what is wrong with the results.
 * @param {import('playwright-core').Page} page
 */
const searchFault = async (page) => {
  await page.keyboard.press('Control+k');
  await page.locator('.search-input').fill('refund_exceeds_payment');
  const result = page.locator('.result[href*="errors.html#refund_exceeds_payment"]').first();
  const isFound = await result.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );
  return isFound ? [] : ['the search does not find refund_exceeds_payment'];
};

/**
 * Opens the main pages of the built site in a browser. Returns a line for each fault: a script
 * error, a first operation below the first screen, a page wider than a phone, a violation that axe
 * finds, or a search without results. Returns none if no browser is installed.
 * @param {string} folder @returns {Promise<string[]>}
 */
export const faultsInBrowser = async (folder) => {
  const executablePath = chromiumPath();
  if (executablePath === undefined) return [];
  const { chromium } = await import('playwright-core');
  const server = await serveDocs(folder);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: SCREEN, reducedMotion: 'reduce' });
    /** @type {string[]} */
    const faults = [];
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
    });
    for (const path of MAIN) {
      await page.goto(`${server.url}${path}`);
      if (FIRST[path] !== undefined) faults.push(...(await beginFault(page, path, FIRST[path])));
      faults.push(...(await widthFault(page, path)));
      faults.push(...(await violationsInBoth(page)).map((one) => `${path}: ${one}`));
    }
    return [...faults, ...(await searchFault(page))];
  } finally {
    await browser.close();
    server.stop();
  }
};
