import { firstLink } from './variants.mjs';

/** The page's path for each screenshot. */
const PAGES = {
  overview: '/',
  cases: '/cases',
  money: '/money',
  'money-30': '/money?days=30',
  ledger: '/ledger',
  'ledger-entries': '/ledger?view=entries',
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
  'not-found': '/nowhere',
};

/**
 * For screenshots of single entities: the path of the list, and the beginning of an entity's path.
 */
const ENTITIES = {
  case: ['/cases', '/cases/'],
  order: ['/orders', '/orders/'],
  payment: ['/payments', '/payments/'],
  payout: ['/payouts', '/payouts/'],
  merchant: ['/merchants?view=list', '/merchants/'],
  account: ['/settings?view=accounts', '/accounts/'],
  'payment-stuck': ['/queues?view=calls', '/payments/'],
};

export const LOADED = '#main:not(:has(.mantine-Skeleton-root, .mantine-Loader-root)) h1';

export const signIn = async (page, { url, user, password }, pictures = null) => {
  await page.goto(url);
  await page.locator('input[name=username]').waitFor();
  await pictures?.take('sign-in');
  await page.locator('input[name=username]').fill(user);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.locator('#main h1').waitFor();
};

/** The path of the statement that contains the newest payout; null if there is none. */
const statementPath = async (page, url) => {
  const answer = await page.request.get(`${url}/v1/payouts?limit=1`);
  const [payout] = (await answer.json()).items;
  if (payout === undefined) return null;
  const { merchantId, date } = payout;
  return `/ledger?view=statement&merchantId=${merchantId}&month=${date.slice(0, 7)}`;
};

/** The paths of all screenshots: PAGES, and the first entity of each list. */
export const consolePages = async (page, url) => {
  const pages = { ...PAGES };
  for (const [name, [list, path]] of Object.entries(ENTITIES)) {
    await page.goto(`${url}${list}`);
    await page.locator(LOADED).waitFor();
    const link = await firstLink(page, path);
    if (link !== null) pages[name] = link;
  }
  const statement = await statementPath(page, url);
  if (statement !== null) pages['ledger-statement'] = statement;
  return pages;
};

export const takeConsole = async (page, chosen, pictures) => {
  const { url } = chosen;
  await signIn(page, chosen, pictures);
  for (const [name, path] of Object.entries(await consolePages(page, url))) {
    await page.goto(`${url}${path}`);
    await page.locator(LOADED).waitFor();
    await pictures.take(name);
  }
};
