/**
 * `npm run screenshots -- DIR`: a picture of every page of the running console, in light, in dark
 * and on a phone. CONSOLE_USER and CONSOLE_PASSWORD sign in; CONSOLE_URL says where it is, by
 * default where the demo has it.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { chromium } from 'playwright-core';

import { portsOfDemo } from './demo/plan.mjs';
import { chromiumPath } from './infra/chromium.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';
import { say } from './infra/say.mjs';

/** By the picture's name its address. */
const PAGES = {
  overview: '/', queues: '/queues', 'queues-parked': '/queues?view=parked',
  'queues-calls': '/queues?view=calls', 'queues-lists': '/queues?view=projections',
  webhooks: '/webhooks', 'webhooks-refused': '/webhooks?view=refused', approvals: '/approvals',
  orders: '/orders', payments: '/payments', payouts: '/payouts',
  reconciliation: '/reconciliation', 'merchants-board': '/merchants',
  'merchants-list': '/merchants?view=list', settings: '/settings',
  'settings-keys': '/settings?view=keys', 'settings-accounts': '/settings?view=accounts',
  users: '/users', audit: '/audit',
};

/** Lists whose newest entry is shown as a page of its own. */
const ENTITIES = {
  order: '/orders', payment: '/payments', payout: '/payouts',
  merchant: '/merchants?view=list',
};

const WIDE = { width: 1_440, height: 900 };
const LOOKS = {
  light: { colorScheme: 'light', viewport: WIDE },
  dark: { colorScheme: 'dark', viewport: WIDE },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
};

const LOADED = '#main:not(:has(.mantine-Skeleton-root, .mantine-Loader-root)) h1';

const settings = () => {
  const { CONSOLE_URL, CONSOLE_USER: user, CONSOLE_PASSWORD: password } = process.env;
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Failure('Say a folder: npm run screenshots -- DIR.');
  if (user === undefined || password === undefined) {
    throw new Failure('Set CONSOLE_USER and CONSOLE_PASSWORD: a user with a password of its own.');
  }
  const url = CONSOLE_URL ?? `http://127.0.0.1:${portsOfDemo().admin}`;
  return { url, user, password, folder: resolve(folder) };
};

const signIn = async (page, { url, user, password, folder }) => {
  await page.goto(url);
  await page.locator('input[name=username]').waitFor();
  await page.screenshot({ path: join(folder, 'sign-in-light.png') });
  await page.locator('input[name=username]').fill(user);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.locator('#main h1').waitFor();
};

/** The pages of the newest entities, where there are any. */
const entityPages = async (page, url) => {
  const found = {};
  for (const [name, list] of Object.entries(ENTITIES)) {
    await page.goto(`${url}${list}`);
    await page.locator(LOADED).waitFor();
    const [path] = list.split('?');
    const link = page.locator(`tbody a[href^="${path}/"]`).first();
    if ((await link.count()) > 0) found[name] = await link.getAttribute('href');
  }
  return found;
};

await runTool(async () => {
  const chosen = settings();
  const { url, folder } = chosen;
  mkdirSync(folder, { recursive: true });
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Failure('There is no Chromium: set CHROMIUM_PATH.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await signIn(page, chosen);
  const pages = { ...PAGES, ...(await entityPages(page, url)) };
  for (const [look, { colorScheme, viewport }] of Object.entries(LOOKS)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(`${url}${path}`);
      await page.locator(LOADED).waitFor();
      await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true });
    }
  }
  await browser.close();
  say(`${Object.keys(pages).length * Object.keys(LOOKS).length + 1} pictures in ${folder}`);
  return 0;
});
