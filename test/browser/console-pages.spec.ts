import type { Page } from 'playwright-core';
import { newId } from '#kernel';
import { hasBrowser } from '#testing';
import { ConsoleFixture, overflowOf, violationsOn } from './support/console.js';

const PATHS = [
  '/', '/queues', '/queues?view=parked', '/queues?view=calls', '/queues?view=projections',
  '/webhooks', '/webhooks?view=refused', '/approvals', '/orders', '/payments', '/payouts',
  '/reconciliation', '/merchants', '/merchants?view=list', '/settings', '/settings?view=keys',
  '/settings?view=accounts', '/users', '/audit', '/nowhere',
] as const;

(hasBrowser() ? describe : describe.skip)('the pages of the console', () => {
  let at: ConsoleFixture;
  let page: Page;
  let paymentId: string;
  let payoutId: string;

  beforeAll(async () => {
    at = await ConsoleFixture.start();
    ({ paymentId } = await at.timedOutCapture());
    ({ payoutId } = await at.paidOut());
    await at.bench.parked();
    await at.bench.targetFor('close_exception');
    await at.bench.targetFor('reprocess_webhook');
    await at.bench.targetFor('rebuild_projection');
    for (const [index, status] of ['open', 'open', 'paid'].entries()) {
      await at.admin.pool.query(
        `INSERT INTO order_list VALUES ($1, 'shop', 'm1', $2, 1250, 'eur', $3, null,
                now() - $4 * interval '1 minute', 1)`,
        [newId('ord'), `A-${index}`, status, index]);
    }
    await at.admin.pool.query(
      `INSERT INTO merchant_list VALUES ($1, 'shop', 'Atelier', 'test', 'notComplete', false,
              'co_1', now(), 1)`, [newId('mer')]);
    page = await at.signedIn('admin');
  });
  afterAll(() => at.stop());

  const everyPath = (): readonly string[] => [
    ...PATHS, `/payments/${paymentId}`, `/payouts/${payoutId}`,
  ];

  test('each page is right for axe in light and dark, and fits a phone of 320 pixels', async () => {
    const wrong: string[] = [];
    for (const path of everyPath()) {
      await at.open(page, path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await violationsOn(page);
        wrong.push(...found.map((one) => `${colorScheme} ${path}: ${one}`));
      }
      await page.setViewportSize({ width: 320, height: 640 });
      const overflow = await overflowOf(page);
      if (overflow > 0) wrong.push(`${path} is too wide by ${overflow}`);
      await page.setViewportSize({ width: 1_280, height: 800 });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    expect(wrong).toEqual([]);
  }, 180_000);

  test('the filters of a list live in its address', async () => {
    await at.open(page, '/orders');
    await page.getByLabel('Status').selectOption('Paid');
    await page.waitForURL('**/orders?status=paid');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByLabel('Reference').fill('A-2');
    await page.waitForURL('**/orders?status=paid&reference=A-2');
    const csv = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
    expect(csv).toBe('/v1/orders.csv?status=paid&reference=A-2');
    await page.reload();
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('paid');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('3 rows', { exact: true }).waitFor();
  });

  test('an order that is placed appears by itself', async () => {
    await at.open(page, '/orders');
    const id = newId('ord');
    await at.admin.pool.query(
      `INSERT INTO order_list VALUES
         ($1, 'shop', 'm1', 'NEW-1', 990, 'eur', 'open', null, now(), 1)`, [id]);
    await at.bench.payment('authorized');
    await page.getByRole('link', { name: id }).waitFor();
  });

  test('a page that was sent away by a busy server hears it again by itself', async () => {
    let refused = 0;
    await page.route('**/v1/changes', async (route) => {
      refused += 1;
      if (refused > 1) return route.continue();
      return route.fulfill({ status: 503, body: '' });
    });
    const complained = at.complaints.length;
    await at.open(page, '/orders');
    await page.getByText('Reconnecting …').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(refused).toBe(2);
    await page.unroute('**/v1/changes');
    // The browser notes the 503.
    at.complaints.splice(complained);
  });

  test('the slider shows an entity as it was, by the keyboard too', async () => {
    await at.open(page, `/payments/${paymentId}`);
    const state = page.getByRole('table', { name: 'State' });
    await state.getByRole('row', { name: /^status/ }).waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await page.waitForURL('**?version=1');
    await state.getByRole('row', { name: 'status requested' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**?version=2');
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText(/^Now, after/).waitFor();
  });

  test('the palette finds an order by its reference, and leads there', async () => {
    await at.open(page, '/');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search any reference or page').fill('A-2');
    await page.getByText(/found by reference/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/orders/ord_*');
  });

  test('two letters lead to a page, and the shortcuts are listed', async () => {
    await at.open(page, '/');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.waitForURL('**/payments');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('no page complained of anything', () => {
    expect(at.complaints).toEqual([]);
  });
});
