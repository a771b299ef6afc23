/**
 * `npm run screenshots -- DIR`: takes a picture of every page of the running console, in light and
 * dark mode and on a phone; `-- docs/pictures --readme` takes those that the README shows.
 * CONSOLE_USER and CONSOLE_PASSWORD sign in; CONSOLE_URL is the console's address, by default the
 * demo's.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';

import { portsOfDemo } from './demo/plan.mjs';
import { chromiumPath } from './infra/chromium.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';
import { say } from './infra/say.mjs';

/** The address of each picture's page. */
const PAGES = {
  overview: '/',
  queues: '/queues',
  'queues-failed': '/queues?view=failed',
  'queues-discarded': '/queues?view=discarded',
  'queues-calls': '/queues?view=calls',
  'queues-lists': '/queues?view=projections',
  webhooks: '/webhooks',
  'webhooks-refused': '/webhooks?view=refused',
  approvals: '/approvals',
  orders: '/orders',
  payments: '/payments',
  payouts: '/payouts',
  reconciliation: '/reconciliation',
  'merchants-board': '/merchants',
  'merchants-list': '/merchants?view=list',
  settings: '/settings',
  'settings-keys': '/settings?view=keys',
  'settings-accounts': '/settings?view=accounts',
  'settings-limits': '/settings?view=limits',
  users: '/users',
  audit: '/audit',
};

/**
 * The pictures of single entities: each has the list and the path of the link to its first entry.
 */
const ENTITIES = {
  order: ['/orders', '/orders/'],
  payment: ['/payments', '/payments/'],
  payout: ['/payouts', '/payouts/'],
  merchant: ['/merchants?view=list', '/merchants/'],
  'payment-stuck': ['/queues?view=calls', '/payments/'],
};

const WIDE = { width: 1_440, height: 900 };
const LOOKS = {
  light: { colorScheme: 'light', viewport: WIDE },
  dark: { colorScheme: 'dark', viewport: WIDE },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
};

/** The README's pictures, each at most 150 KB. */
const README = [
  ['overview', 'light'],
  ['payment-stuck', 'dark'],
];
const README_VIEWPORT = { width: 1_240, height: 680 };
const README_BYTES = 150_000;

const TWO_FRAMES =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

const LOADED = '#main:not(:has(.mantine-Skeleton-root, .mantine-Loader-root)) h1';

const settings = () => {
  const { CONSOLE_URL, CONSOLE_USER: user, CONSOLE_PASSWORD: password } = process.env;
  const {
    positionals: [folder],
    values,
  } = parseArgs({
    allowPositionals: true,
    options: { readme: { type: 'boolean', default: false } },
  });
  if (folder === undefined) throw new Failure('Name a folder: npm run screenshots -- DIR.');
  if (user === undefined || password === undefined) {
    throw new Failure(
      'Set CONSOLE_USER and CONSOLE_PASSWORD, of a user who has changed the password.',
    );
  }
  const url = CONSOLE_URL ?? `http://127.0.0.1:${portsOfDemo().admin}`;
  return { url, user, password, folder: resolve(folder), isReadme: values.readme };
};

/** Makes the window as tall as the content, so that a fixed menu reaches to the end, too. */
const showWhole = async (page, { width, height }) => {
  const tall = await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(height, tall) });
  // Fixed elements reach their new height only in the second frame.
  await page.evaluate(TWO_FRAMES);
};

/** Takes pictures of the page in light and dark mode and on a phone. */
const inEveryLook = async (page, folder, name) => {
  for (const [look, { colorScheme, viewport }] of Object.entries(LOOKS)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await showWhole(page, viewport);
    await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
  }
};

const signIn = async (page, { url, user, password, folder, isReadme }) => {
  await page.goto(url);
  await page.locator('input[name=username]').waitFor();
  if (!isReadme) await inEveryLook(page, folder, 'sign-in');
  await page.locator('input[name=username]').fill(user);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.locator('#main h1').waitFor();
};

/** The pages of single entities that exist. */
const entityPages = async (page, url) => {
  const found = {};
  for (const [name, [list, path]] of Object.entries(ENTITIES)) {
    await page.goto(`${url}${list}`);
    await page.locator(LOADED).waitFor();
    const link = page.locator(`tbody a[href^="${path}"]`).first();
    if ((await link.count()) > 0) found[name] = await link.getAttribute('href');
  }
  return found;
};

const allPictures = async (page, { url, folder }, pages) => {
  for (const [name, path] of Object.entries(pages)) {
    await page.setViewportSize(WIDE);
    await page.goto(`${url}${path}`);
    await page.locator(LOADED).waitFor();
    await inEveryLook(page, folder, name);
  }
  return (Object.keys(pages).length + 1) * Object.keys(LOOKS).length;
};

const readmePictures = async (page, { url, folder }, pages) => {
  await page.setViewportSize(README_VIEWPORT);
  for (const [name, colorScheme] of README) {
    if (pages[name] === undefined)
      throw new Failure(`There is no entry for ${name}: run the demo first.`);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${url}${pages[name]}`);
    await page.locator(LOADED).waitFor();
    const { length } = await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    if (length > README_BYTES)
      throw new Failure(`The picture of ${name} has ${length} bytes, more than ${README_BYTES}.`);
  }
  return README.length;
};

await runTool(async () => {
  const chosen = settings();
  const { url } = chosen;
  mkdirSync(chosen.folder, { recursive: true });
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Failure('Chromium was not found: set CHROMIUM_PATH.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await signIn(page, chosen);
  const pages = { ...PAGES, ...(await entityPages(page, url)) };
  const take = chosen.isReadme ? readmePictures : allPictures;
  const taken = await take(page, chosen, pages);
  await browser.close();
  say(`${taken} pictures in ${chosen.folder}`);
  return 0;
});
