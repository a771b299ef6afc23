import { takeDoors } from './door-pages.mjs';
import { firstLink } from './variants.mjs';

/** The paths of the console's pages, by the name of the screenshot. */
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
  'queues-lists': '/queues?view=projections',
  webhooks: '/webhooks',
  'webhooks-refused': '/webhooks?view=refused',
  'webhooks-sent': '/webhooks?view=sent',
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
  'settings-endpoints': '/settings?view=endpoints',
  users: '/users',
  audit: '/audit',
  'not-found': '/nowhere',
};

/**
 * Pages of single entities, by the name of the screenshot: the path of a list, and the beginning of
 * the path of its entities.
 */
const ENTITIES = {
  case: ['/cases', '/cases/'],
  'case-break': ['/cases?kind=reconciliation_break', '/cases/'],
  'case-mismatch': ['/cases?kind=mismatch', '/cases/'],
  'case-blocked': ['/cases?kind=blocked_stream', '/cases/'],
  order: ['/orders', '/orders/'],
  payment: ['/payments', '/payments/'],
  payout: ['/payouts', '/payouts/'],
  merchant: ['/merchants?view=list', '/merchants/'],
  account: ['/settings?view=accounts', '/accounts/'],
  endpoint: ['/settings?view=endpoints', '/webhook-endpoints/'],
  'case-reaction': ['/cases?kind=failed_reaction', '/cases/'],
  'case-endpoint': ['/cases?kind=failing_endpoint', '/cases/'],
  'payment-stuck': ['/payments?unknownResults=true&sort=created.asc', '/payments/'],
};

/** A saved view for a screenshot. It is deleted afterwards. */
const VIEW = { name: 'Captured', list: 'payments', query: 'status=captured', isShared: true };

/** Screenshots after an action on a page: the page's path, and the action. */
const ACTED = {
  'cases-incident': {
    path: '/cases',
    needs: 'tbody button[aria-expanded=false]',
    act: (page) => page.locator('tbody button[aria-expanded=false]').first().click(),
  },
  'payments-filters': {
    path: '/payments?status=captured&disputed=false',
    act: (page) => page.locator('search button[aria-expanded=false]').click(),
  },
  'webhooks-sent-selected': {
    path: '/webhooks?view=sent&state=pending,failed',
    needs: 'thead input[type=checkbox]',
    act: async (page) => {
      await page.locator('thead input[type=checkbox]').check();
      await page.locator('[role=group] button').first().waitFor();
    },
  },
  redelivery: {
    path: '/settings?view=endpoints',
    needs: 'tbody tr',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^(Redeliver webhooks|Renvoyer les webhooks)/ })
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('textarea').first().fill('the platform has repaired it');
      await dialog.locator('button[type=submit]').click();
      await dialog.getByRole('region').waitFor();
    },
  },
  search: {
    path: '/',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  'saved-views': {
    path: `/payments?${VIEW.query}`,
    act: async (page) => {
      await page.getByRole('button', { name: /^(Saved views|Vues enregistrées)$/ }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
  },
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

const takeActed = async (page, url, pictures) => {
  for (const [name, { path, needs = 'main', act }] of Object.entries(ACTED)) {
    await page.goto(`${url}${path}`);
    await page.locator(LOADED).waitFor();
    if ((await page.locator(needs).count()) === 0) continue;
    await act(page);
    await pictures.take(name);
  }
};

const withSavedView = async (page, url, take) => {
  const { csrfToken } = await (await page.request.get(`${url}/v1/session`)).json();
  const headers = { origin: url, 'x-csrf-token': csrfToken };
  const answer = await page.request.post(`${url}/v1/saved-views`, { headers, data: VIEW });
  await take();
  // The view already existed, because an interrupted run has not deleted it.
  if (!answer.ok()) return;
  const { id } = await answer.json();
  await page.request.delete(`${url}/v1/saved-views/${id}`, { headers });
};

export const takeConsole = async (page, chosen, pictures) => {
  const { url } = chosen;
  await signIn(page, chosen, pictures);
  for (const [name, path] of Object.entries(await consolePages(page, url))) {
    await page.goto(`${url}${path}`);
    await page.locator(LOADED).waitFor();
    await pictures.take(name);
  }
  await withSavedView(page, url, () => takeActed(page, url, pictures));
  await takeDoors(page, chosen, pictures);
};
