import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import { instantFromMs, newId } from '#kernel';
import { gate, hasBrowser } from '#testing';
import { settled, violationsInBoth } from '../../tools/infra/axe.mjs';
import { ConsoleFixture, TRACE_ID } from './support/console.js';
import { overflowOf } from './support/layout.js';

const PATHS = [
  '/',
  '/cases',
  '/money',
  '/money?days=30',
  '/ledger',
  '/ledger?view=entries',
  '/ledger?view=statement',
  '/ledger?view=statement&merchantId=m1&month=2026-03',
  '/queues',
  '/queues?view=failed',
  '/queues?view=discarded',
  '/queues?view=projections',
  '/webhooks',
  '/webhooks?view=refused',
  '/webhooks?view=sent',
  '/approvals',
  '/orders',
  '/payments',
  '/payouts',
  '/reconciliation',
  '/merchants',
  '/merchants?view=list',
  '/settings',
  '/settings?view=keys',
  '/settings?view=limits',
  '/settings?view=accounts',
  '/settings?view=endpoints',
  '/users',
  '/audit',
  '/nowhere',
] as const;

/** The pages that run the most database queries. */
const BUSIEST = [
  '/cases',
  '/',
  '/money',
  '/ledger',
  '/queues',
  '/queues?view=discarded',
  '/webhooks',
  '/reconciliation',
  '/merchants',
] as const;

const openFilters = async (page: Page): Promise<void> => {
  const button = page.getByRole('button', { name: /^Filters/ });
  await button.waitFor();
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
};

(hasBrowser() ? describe : describe.skip)('the pages of the console', () => {
  let at: ConsoleFixture;
  let page: Page;
  let paymentId: string;
  let payoutId: string;
  let orderId: string;
  let endpointId: string;
  const merchantId = newId('mer');

  beforeAll(async () => {
    at = await ConsoleFixture.start();
    ({ paymentId } = await at.timedOutCapture());
    ({ payoutId } = await at.paidOut());
    ({ orderId } = await at.bench.payment('authorized'));
    await at.merchantGoes(merchantId, {
      type: 'DraftMerchant',
      platformId: 'shop',
      reference: 'Boulangerie',
      mode: 'test',
      firstTerminal: null,
      detailsRef: newId('det'),
      at: instantFromMs(Date.now()),
    });
    const { subjectId: failing } = await at.bench.failedReaction();
    await at.bench.failedReaction();
    await at.admin.pool.query(
      `UPDATE sagas SET retry_at = now() + interval '4 minutes', waiting = jsonb_set(waiting,
              '{stimuli,0}', '{"from": "deadline", "kind": "checkout.warning",
                               "dueAt": "2030-01-01T00:00:00.000Z"}')
        WHERE key = $1`,
      [failing],
    );
    await at.admin.pool.query(
      `INSERT INTO discarded_reactions
              (saga, key, stream_type, stream_id, version, stimulus, error, reason, actor)
       VALUES ('checkout', $1, 'order', $1, 1, 'OrderPlaced', E'it broke\n    at react', 'not needed',
               'user:ann'),
              ('checkout', $1, NULL, NULL, NULL, 'checkout.warning', 'it broke', 'not needed',
               'user:ann')`,
      [orderId],
    );
    ({ subjectId: endpointId } = await at.bench.targetFor('redeliver_webhooks'));
    await at.bench.targetFor('close_exception');
    await at.bench.targetFor('reprocess_webhook');
    await at.bench.targetFor('rebuild_projection');
    for (const [index, status] of ['open', 'open', 'paid'].entries()) {
      await at.admin.pool.query(
        `INSERT INTO order_list VALUES ($1, 'shop', 'm1', $2, 1250, 'eur', $3, null,
                now() - $4 * interval '1 minute', 1)`,
        [status === 'paid' ? orderId : newId('ord'), `A-${index}`, status, index],
      );
    }
    await at.admin.pool.query(
      `INSERT INTO merchant_list VALUES ($1, 'shop', 'Atelier', 'test', 'incomplete', false,
              'co_1', now(), 1)`,
      [newId('mer')],
    );
    page = await at.signedIn('admin');
  });
  afterAll(() => at.stop());

  const everyPath = (): readonly string[] => [
    ...PATHS,
    `/payments/${paymentId}`,
    `/payouts/${payoutId}`,
    `/orders/${orderId}`,
    `/merchants/${merchantId}`,
    `/webhook-endpoints/${endpointId}`,
  ];

  test('no page has an accessibility violation in light or dark mode, and every page fits a phone of 320 pixels', async () => {
    const wrong: string[] = [];
    const check = async (path: string): Promise<void> => {
      await page.setViewportSize({ width: 1_280, height: 800 });
      wrong.push(...(await violationsInBoth(page)).map((one) => `${path}, ${one}`));
    };
    const narrow = async (path: string): Promise<void> => {
      await page.setViewportSize({ width: 320, height: 640 });
      const overflow = await overflowOf(page);
      if (overflow > 0) wrong.push(`${path} is too wide by ${overflow}`);
    };
    for (const [index, path] of everyPath().entries()) {
      await at.go(page, path);
      // Begins with the window size of the previous page, because a new size is expensive.
      for (const step of index % 2 === 0 ? [check, narrow] : [narrow, check]) await step(path);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
    expect(wrong).toEqual([]);
  });

  test('a page shows its header before its scripts and its style sheet are loaded', async () => {
    await page.route('**/assets/**', () => {});
    await page.goto(`${at.origin}/orders`, { waitUntil: 'commit' });
    await page.getByText('Payments console', { exact: true }).waitFor();
    const weight = `getComputedStyle(document.querySelector('.frame')).fontWeight`;
    expect(await page.evaluate(weight)).toBe('600');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await at.open(page, '/');
  });

  test('a list stores its filters in the URL', async () => {
    await at.go(page, '/orders');
    const filters = page.getByRole('button', { name: /^Filters/ });
    expect(await page.getByLabel('Reference').count()).toBe(0);
    await filters.click();
    expect(await filters.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('checkbox', { name: 'Open' }).check();
    await page.waitForURL('**/orders?status=open');
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'Paid', exact: true }).check();
    await page.waitForURL('**/orders?status=open%2Cpaid');
    await page.getByText('3 rows', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Open' }).uncheck();
    await page.waitForURL('**/orders?status=paid');
    await page.keyboard.press('Escape');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByLabel('Reference').fill('A-2');
    await page.waitForURL('**/orders?status=paid&reference=A-2');
    const csv = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    expect(csv).toBe('/v1/orders.csv?status=paid&reference=A-2&mode=usual');
    await page.reload();
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Filters (2)', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove filter: Reference: A-2' }).click();
    await page.waitForURL('**/orders?status=paid');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Filters (1)');
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove filter: Status: Paid' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('3 rows', { exact: true }).waitFor();
  });

  test('the chosen values of a filter do not overflow the filter’s button', async () => {
    await at.go(page, '/cases?kind=unpaid_refund,failed_request,mismatch');
    await page
      .getByRole('button', { name: 'Kind' })
      .getByText(/^Refund not paid to the payer, /)
      .waitFor();
    const control = `document.querySelector('search button')`;
    const overflow = `${control}.scrollHeight - ${control}.clientHeight`;
    expect(await page.evaluate(overflow)).toBe(0);
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });

  test('the amount filter accepts 12,60 and 12.5, and a list whose amount filter cannot be applied shows why instead of rows', async () => {
    await at.admin.pool.query(`UPDATE order_list SET amount_minor = 1300 WHERE reference = 'A-1'`);
    const queries: string[] = [];
    const note = (sent: Request): void => void queries.push(new URL(sent.url()).pathname);
    await at.go(page, '/orders');
    await page.getByText('3 rows', { exact: true }).waitFor();
    page.on('request', note);
    await at.go(page, '/orders?status=open,paid&amountFrom=12,60');
    await page.getByText('Amount from: Choose a currency.', { exact: true }).waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Export CSV' }).count()).toBe(0);
    expect(queries.filter((path) => path.startsWith('/v1/orders'))).toEqual([]);
    page.off('request', note);
    await page.getByRole('button', { name: 'Filters (2)', exact: true }).click();
    await page.getByText('Choose a currency.', { exact: true }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByText('1 row', { exact: true }).waitFor();
    for (const wrong of ['1 000', '1,000']) {
      await page.getByLabel('Amount from').fill(wrong);
      await page.getByText('Amount from: Enter an amount such as 1250.50.').waitFor();
      expect(await page.getByRole('table').count()).toBe(0);
    }
    await page.getByLabel('Amount from').fill('12.5');
    await page.getByLabel('Sort by').selectOption('Largest first');
    await page.getByText('3 rows', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
      '/v1/orders.csv?status=open&status=paid&mode=usual&currency=eur&amountFrom=1250&sort=amount&direction=desc',
    );
    await page.locator('tbody tr').first().getByText('A-1').waitFor();
    await page.getByText('3 in all, €38.00', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await at.admin.pool.query(`UPDATE order_list SET amount_minor = 1250`);
  });

  test('a click on a column’s header sorts the list, by amount within one currency only', async () => {
    await at.go(page, '/orders');
    const header = page.getByRole('columnheader', { name: 'Amount', exact: true });
    const amount = header.getByRole('button');
    expect(await amount.getAttribute('aria-disabled')).toBe('true');
    await openFilters(page);
    await page.getByLabel('Currency').selectOption('EUR');
    await amount.click();
    await page.waitForURL('**/orders?currency=eur&sort=amount.desc');
    await amount.click();
    await page.waitForURL('**/orders?currency=eur&sort=amount.asc');
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('columnheader', { name: 'Placed' }).getByRole('button').click();
    await page.waitForURL('**/orders?currency=eur');
  });

  test.each(['orders', 'payments', 'payouts'])(
    'the list of %s sorted by amount without a currency shows the reason instead of rows, and offers this sorting only after a currency was chosen',
    async (name) => {
      await at.go(page, `/${name}?sort=amount.desc`);
      await page.getByText('Sort by: Choose a currency.', { exact: true }).waitFor();
      expect(await page.getByRole('table').count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Export CSV' }).count()).toBe(0);
      const largest = page.getByLabel('Sort by').getByRole('option', { name: 'Largest first' });
      expect(await largest.isDisabled()).toBe(true);
      await openFilters(page);
      await page.getByLabel('Currency').selectOption('EUR');
      await page.getByText('Sort by: Choose a currency.').waitFor({ state: 'detached' });
      expect(await largest.isDisabled()).toBe(false);
    },
  );

  test('the filters of a list are saved under a name, applied again, and deleted', async () => {
    await at.go(page, '/orders?status=paid');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByLabel('Save these filters as').fill('Paid orders');
    await page.getByLabel('Share with every user of the console').check();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByText('Shared with every user', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('link', { name: 'Paid orders' }).click();
    await page.waitForURL('**/orders?status=paid');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Delete: Paid orders' }).click();
    await page.getByText('No views of this list are saved.').waitFor();
    await page.keyboard.press('Escape');
  });

  test('a viewer chooses the columns of a list and their order by keyboard, and a saved view keeps them', async () => {
    const headers = async () =>
      (await page.getByRole('columnheader').allInnerTexts())
        .map((one) => one.replace(/\W+$/u, ''))
        .filter((one) => one !== '');
    await at.go(page, '/orders');
    await page.getByText('3 rows', { exact: true }).waitFor();
    const usual = await headers();
    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    for (const name of usual.slice(3))
      await dialog.getByRole('checkbox', { name, exact: true }).uncheck();
    const down = dialog.getByRole('button', { name: `Move down: ${usual[0]}`, exact: true });
    await down.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const focused = `document.activeElement.getAttribute('aria-label')`;
    expect(await page.evaluate(focused)).toBe(`Move down: ${usual[0]}`);
    expect(await violationsInBoth(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await headers()).toEqual([usual[1], usual[2], usual[0]]);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByLabel('Save these filters as').fill('Three columns');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('link', { name: 'Three columns' }).waitFor();
    await page.keyboard.press('Escape');
    await at.go(page, '/orders');
    await page.getByText('3 rows', { exact: true }).waitFor();
    expect(await headers()).toEqual(usual);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('link', { name: 'Three columns' }).click();
    await page.waitForURL('**/orders?columns=*');
    expect(await headers()).toEqual([usual[1], usual[2], usual[0]]);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await page.waitForURL('**/orders');
    await page.keyboard.press('Escape');
  });

  test('a viewer exports a list in the background, and downloads the file when it is ready', async () => {
    await at.go(page, '/orders?status=open');
    await page.getByText('2 rows', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Exports' }).click();
    const dialog = page.getByRole('dialog', { name: 'Exports' });
    await dialog.getByText('You have no exports.').waitFor();
    await dialog.getByRole('button', { name: 'Export this list' }).click();
    await dialog.getByText('Ready', { exact: true }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download: Orders, 2 rows' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('orders.csv');
    await dialog.getByRole('button', { name: 'Delete: Orders, 2 rows' }).click();
    await dialog.getByText('You have no exports.').waitFor();
    await page.keyboard.press('Escape');
  });

  test('a viewer selects single rows, or a range of rows with Shift, and downloads only the selected rows', async () => {
    await at.go(page, '/orders');
    await page.getByText('3 rows', { exact: true }).waitFor();
    const box = (place: number) =>
      page
        .locator('tbody tr')
        .nth(place)
        .getByRole('checkbox', { name: /^Select: ord_/ });
    await box(0).click();
    await box(2).click({ modifiers: ['Shift'] });
    await page.getByText('3 rows selected', { exact: true }).waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select all loaded rows' }).isChecked()).toBe(
      true,
    );
    await box(1).click();
    await page.getByText('2 rows selected', { exact: true }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    const csv = page.getByRole('link', { name: 'Export selected rows as CSV' });
    expect(await csv.getAttribute('href')).toMatch(/^\/v1\/orders\.csv\?ids=ord_\w+&ids=ord_\w+$/);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await csv.waitFor({ state: 'detached' });
  });

  test('the CSV of a statement has all its lines, is downloaded at once, and offers no selection of lines', async () => {
    const account = newId('acc');
    await at.admin.pool.query(
      `INSERT INTO provider_accounts
              (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
       VALUES ($1, 'shop', 'm_lines', 'test', '', '')`,
      [account],
    );
    await at.admin.pool.query(
      `INSERT INTO ledger_journal SELECT gen_random_uuid(), 'payment', 'line_' || n, 'pay_line', $1,
              'shop', 'chf', 100, -100, 100, 0, 0, 0, 0, '2026-03-02'
         FROM generate_series(1, 60) AS n`,
      [account],
    );
    await at.go(page, '/ledger?view=statement&merchantId=m_lines&month=2026-03');
    await page.getByText('50 rows loaded', { exact: true }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Exports' }).count()).toBe(0);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV', exact: true }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    expect(text.match(/line_\d+/g)?.length).toBe(60);
    await at.admin.pool.query('DELETE FROM ledger_journal WHERE account_id = $1', [account]);
    await at.admin.pool.query('DELETE FROM provider_accounts WHERE id = $1', [account]);
  });

  test('a long list renders only the rows near the visible part, but is selected and printed as a whole', async () => {
    await at.admin.pool.query(
      `INSERT INTO order_list
       SELECT 'ord_long_' || n, 'shop', 'm_long', 'LONG-' || n, 990, 'eur', 'open', null,
              now() - n * interval '1 minute', 1 FROM generate_series(1, 150) AS n`,
    );
    await at.go(page, '/orders?merchantId=m_long');
    const more = page.getByRole('button', { name: 'Load more', exact: true });
    const isWhole = page.getByText('150 rows', { exact: true });
    await more.click();
    await more.or(isWhole).waitFor();
    if (await more.isVisible()) await more.click();
    await isWhole.waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByText('150 rows selected', { exact: true }).waitFor();
    const table = page.getByRole('table', { name: 'Orders' });
    expect(await table.getAttribute('aria-rowcount')).toBe('151');
    expect(await violationsInBoth(page)).toEqual([]);
    const row = (place: number) => table.locator(`tr[aria-rowindex="${place}"]`);
    const box = (place: number) => row(place).getByRole('checkbox');
    await box(20).focus();
    await page.keyboard.press('Space');
    await page.getByText('149 rows selected', { exact: true }).waitFor();
    await box(151).scrollIntoViewIfNeeded();
    await row(140).waitFor();
    expect(await table.locator('tbody tr').count()).toBeLessThan(80);
    await page.emulateMedia({ media: 'print' });
    const middle = table.getByText('LONG-90', { exact: true });
    await middle.waitFor({ state: 'attached' });
    expect(await table.locator('tbody tr').count()).toBe(150);
    await page.emulateMedia({ media: null });
    await middle.waitFor({ state: 'detached' });
    expect(await box(20).isChecked()).toBe(false);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const focused = `document.activeElement.closest('tr').getAttribute('aria-rowindex')`;
    expect(await page.evaluate(focused)).toBe('21');
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await at.admin.pool.query(`DELETE FROM order_list WHERE merchant_id = 'm_long'`);
  });

  test('the capture that the console recommends after a final capture was rejected is final, too', async () => {
    const { pool } = at.admin;
    await pool.query(
      `INSERT INTO payment_list VALUES ('pay_final', 'ord_final', 'shop', 'acc_none', 900, 'eur',
         'authorized', null, '{}', '{}', 0, false, false, now(), 1)`,
    );
    await pool.query(`UPDATE payment_list SET rejected_captures = '{cap_final}'
                       WHERE payment_id = 'pay_final'`);
    await pool.query(
      `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                           metadata)
       SELECT 'payment', 'pay_final', version, gen_random_uuid(), type, 1,
              '{"captureId": "cap_final", "amountMinor": 400, "isFinal": true, "reason": "limit"}',
              '{}'
         FROM unnest(ARRAY['CaptureRequested', 'CaptureRejected']) WITH ORDINALITY e (type, version)`,
    );
    await at.go(page, '/cases/rejected_capture:cap_final');
    // The payment of these rows has no state of which a preview could be computed.
    const preview = { about: null, events: [], calls: [], follows: [], notes: [], digest: '' };
    await page.route('**/v1/actions/dry-run', (route) => route.fulfill({ json: preview }));
    await page.getByRole('button', { name: 'Capture' }).first().click();
    await page.getByLabel('Reason').fill('the provider has raised the limit');
    const previewed = page.waitForRequest('**/v1/actions/dry-run');
    await page.getByRole('button', { name: 'Preview' }).click();
    expect((await previewed).postDataJSON()).toMatchObject({
      target: { subjectId: 'pay_final', amountMinor: 400, isFinal: true },
    });
    await page.keyboard.press('Escape');
    await page.unroute('**/v1/actions/dry-run');
    await pool.query(`DELETE FROM payment_list WHERE payment_id = 'pay_final'`);
    await pool.query(`DELETE FROM events WHERE stream_id = 'pay_final'`);
  });

  test('an operator becomes the owner of all selected cases by one click', async () => {
    await at.go(page, '/cases');
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    const bar = page.getByRole('group', { name: 'Selected rows' });
    await bar.getByRole('button', { name: 'Assign to me' }).click();
    await bar.waitFor({ state: 'detached' });
    await openFilters(page);
    await page.getByLabel('Owner').selectOption('Mine');
    await page.waitForURL('**/cases?owner=mine');
    await rows.first().waitFor();
    const mine = await rows.count();
    await page.getByLabel('Owner').selectOption('Any');
    await page.waitForURL('**/cases');
    expect([mine > 1, await rows.count()]).toEqual([true, mine]);
  });

  test('a bulk assignment skips cases of another owner, continues past a refusal, and names the refused case', async () => {
    const complained = at.complaints.length;
    const { userId: other } = await at.user('operator');
    const { pool } = at.admin;
    await pool.query('UPDATE case_notes SET owner_id = NULL');
    const { rows } = await pool.query<{ id: string }>(
      'SELECT DISTINCT case_id AS id FROM case_notes ORDER BY 1',
    );
    const [owned = '', refused = ''] = rows.map(({ id }) => id);
    await pool.query('UPDATE case_notes SET owner_id = $1 WHERE case_id = $2', [other, owned]);
    const isRefused = (url: URL) => decodeURIComponent(url.pathname).endsWith(`/${refused}/take`);
    await page.route(isRefused, (route) =>
      route.fulfill({ status: 409, json: { code: 'user_changed', detail: 'changed' } }),
    );
    await at.open(page, '/cases');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    const bar = page.getByRole('group', { name: 'Selected rows' });
    await bar.getByRole('button', { name: 'Assign to me' }).click();
    await bar.getByText('1 case has another owner and was not assigned.').waitFor();
    await bar.getByText('1 case could not be changed:').waitFor();
    const link = bar.getByRole('listitem').getByRole('link');
    expect(await link.getAttribute('href')).toBe(`/cases/${refused}`);
    expect(await violationsInBoth(page)).toEqual([]);
    const owners = await pool.query<{ id: string; owner: string | null }>(
      `SELECT case_id AS id, (array_agg(owner_id ORDER BY id DESC))[1] AS owner
         FROM case_notes WHERE kind = 'owner' GROUP BY 1 ORDER BY 1`,
    );
    const mine = owners.rows.find(({ owner }) => owner !== null && owner !== other)?.owner;
    expect(owners.rows).toEqual(
      rows.map(({ id }) => {
        if (id === refused) return { id, owner: null };
        return { id, owner: id === owned ? other : mine };
      }),
    );
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await page.unroute(isRefused);
    at.complaints.splice(complained);
  });

  test('live cases and orders are shown by default, and those of test accounts by a filter, with a badge', async () => {
    const rows = page.locator('tbody tr');
    const badge = rows.getByText('Test', { exact: true });
    // The planted orders have no account.
    await at.admin.pool.query('UPDATE order_list SET account_id = $1', [at.bench.accountId]);
    // Whether anything is live is read with the totals: until then no row has a badge.
    const totals = gate();
    await page.route('**/v1/case-totals', async (route) => {
      await totals.opened;
      await route.continue();
    });
    await at.open(page, '/orders?merchantId=m1');
    await rows.first().waitFor();
    expect(await badge.count()).toBe(0);
    const read = page.waitForResponse('**/v1/case-totals');
    totals.open();
    await (await read).finished();
    await settled(page);
    expect(await badge.count()).toBe(0);
    await page.unroute('**/v1/case-totals');
    await at.admin.pool.query(
      `INSERT INTO provider_accounts
              (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
       VALUES ('acc_live', 'shop', 'm1', 'live', '', '')`,
    );
    await at.open(page, '/cases?mode=test');
    await openFilters(page);
    await badge.first().waitFor();
    await page.getByLabel('Mode').selectOption('Live');
    await page.waitForURL('**/cases?mode=live');
    await badge.first().waitFor({ state: 'detached' });
    await at.open(page, '/orders');
    await page.getByText('No orders.').waitFor();
    await openFilters(page);
    await page.getByLabel('Mode').selectOption('Test');
    await badge.first().waitFor();
    await at.admin.pool.query(`DELETE FROM provider_accounts WHERE id = 'acc_live'`);
  });

  test('the payouts list filters by the provider’s calendar days, whatever the viewer’s time zone', async () => {
    const inZone = await page.context().newCDPSession(page);
    await inZone.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Paris' });
    for (const day of ['2026-01-19', '2026-01-20', '2026-01-21']) await at.paidOut(day);
    await at.open(page, '/payouts?from=2026-01-20&to=2026-01-20');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.locator('td time[datetime="2026-01-20"]').waitFor();
    expect(await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
      '/v1/payouts.csv?mode=usual&from=2026-01-20&to=2026-01-21',
    );
    await inZone.detach();
  });

  test('each figure of the money page links to its rows, and the ledger shows its trial balance', async () => {
    await at.admin.pool.query(
      `INSERT INTO ledger_journal SELECT gen_random_uuid(), kind, 'object_' || n, 'pay_money', $1, 'shop',
              'usd', minor, -minor, minor, 0, 0, 0, 0, now()
         FROM (VALUES ('payment', 1250, 1), ('payment', 1250, 2), ('refund', 250, 3))
              AS entry(kind, minor, n)`,
      [newId('acc')],
    );
    await at.admin.pool.query(
      `INSERT INTO payment_list (payment_id, order_id, platform_id, account_id, amount_minor, currency,
              status, provider_ids, unknown_results, refunded_minor, disputed, mismatched, requested_at,
              version, declined_at, decline_code)
       VALUES ('pay_money', 'ord_money', 'shop', 'acc_1', 990, 'usd', 'open', '{}', '{}', 0, false, false,
               now(), 1, now(), '51')`,
    );
    // The planted entries have accounts that are not registered, so they have no mode.
    await at.admin.pool.query(
      `INSERT INTO provider_accounts
              (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
       SELECT DISTINCT account_id, 'shop', 'm_ledger', 'test', ''::bytea, ''::bytea
         FROM ledger_journal
           ON CONFLICT DO NOTHING`,
    );
    await at.open(page, '/money');
    const usd = page.getByRole('region', { name: /^USD/ });
    await usd.getByRole('link', { name: /^Captured \$25\.00 ?2 captures/ }).click();
    await page.waitForURL(/\/ledger\?view=entries&currency=usd&mode=test&kind=payment&from=/);
    await page.getByText('2 rows', { exact: true }).waitFor();
    await page.goBack();
    await usd.getByRole('link', { name: /^Refund rate 10%/ }).click();
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.goBack();
    await usd.getByRole('link', { name: /^Insufficient funds \(51\) ?1$/ }).click();
    await page.waitForURL('**/payments?currency=usd&mode=test&declinedFrom=*&declineCode=51');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Ledger', exact: true }).click();
    const trial = page.getByRole('table', { name: 'Trial balance' });
    await trial.getByRole('row', { name: /^EUR .* €0\.00 Balanced$/ }).waitFor();
    await at.go(page, `/payouts/${payoutId}`);
    const strip = page.getByRole('region', { name: 'From gross to net' });
    await strip.waitFor();
    expect(
      (await strip.getByRole('listitem').allInnerTexts()).map((one) => one.split('\n')),
    ).toEqual([
      ['Gross', '€30.00', '3 payments'],
      ['Fees', '-€0.42'],
      ['VAT', '-€0.08'],
      ['Refunds', '€0.00'],
      ['Charged back', '€0.00'],
      ['Net', '€29.50'],
    ]);
  });

  test('the webhooks page switches from the accepted webhooks to the empty list of rejected webhooks', async () => {
    await at.go(page, '/webhooks');
    await page.locator('#main tbody tr').first().waitFor();
    await page.getByText('Rejected', { exact: true }).click();
    await page.waitForURL('**/webhooks?view=refused');
    await page.getByText('No webhooks rejected.').waitFor();
  });

  test('“Clear filters” removes the filters and keeps the selected view', async () => {
    await at.go(page, '/webhooks?view=refused&accountId=acc_1');
    await page.getByText('No matches for these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL('**/webhooks?view=refused');
    await page.getByText('No webhooks rejected.').waitFor();
    await at.admin.pool.query(
      `INSERT INTO merchant_list SELECT 'mer_' || n, 'shop', 'M-' || n, 'test', 'incomplete', false,
              'co_' || n, now(), 1 FROM generate_series(1, 12) AS n`,
    );
    await at.go(page, '/merchants');
    await page.getByRole('link', { name: 'View all' }).first().click();
    await openFilters(page);
    await page.getByLabel('Status').selectOption('Any');
    await page.waitForURL('**/merchants?view=list');
    await page.getByRole('table', { name: 'Merchants' }).waitFor();
  });

  test('the list of orders and the order’s header show the refunds and chargebacks of a paid order', async () => {
    await at.admin.pool.query(
      `INSERT INTO order_list VALUES ($1, 'shop', 'm1', 'BACK-1', 1250, 'eur', 'paid', null,
              now() - interval '1 hour', 9, 500, 750)`,
      [newId('ord')],
    );
    await at.go(page, '/orders?reference=BACK-1');
    await page.getByRole('row', { name: /Paid Refunded €5.00 Charged back €7.50/ }).waitFor();
    const { orderId } = await at.bench.chargedBack();
    await at.go(page, `/orders/${orderId}`);
    await page.getByText('Charged back €12.50', { exact: true }).waitFor();
  });

  test('the story and the raw timeline collapse repeated successful reads into one line', async () => {
    await at.admin.pool.query(
      `INSERT INTO api_requests (at, method, path, reference, status, answer, duration_ms)
       SELECT now() - n * interval '1 millisecond', 'GET',
              '/v2/payment_intents/{id}' || CASE n % 2 WHEN 0 THEN '/payments' ELSE '' END,
              $1, 200, '{}', 12 FROM generate_series(1, 8) AS n`,
      [paymentId],
    );
    await at.go(page, `/payments/${paymentId}`);
    await page.getByRole('button', { name: /^8 requests to the provider / }).click();
    expect(await page.getByText('Attempts of a payment intent', { exact: true }).count()).toBe(4);
    await page.getByText('All entries', { exact: true }).click();
    await page.getByText('7 more successful requests').waitFor();
    expect(await page.getByRole('switch', { name: 'Newest first' }).isChecked()).toBe(true);
    expect(await page.getByRole('button', { name: /^Capture:/ }).count()).toBe(0);
    await page.getByText('Story', { exact: true }).click();
  });

  test('the details of an event link to its trace in the tracing UI', async () => {
    await at.go(page, `/payments/${paymentId}`);
    await page
      .getByRole('button', { name: /^Details Requested the capture of €12\.50, by / })
      .click();
    const link = page.getByRole('link', { name: TRACE_ID });
    expect(await link.getAttribute('href')).toBe(`https://traces.example/${TRACE_ID}`);
  });

  test('the list of orders shows a new order without a reload', async () => {
    await at.go(page, '/orders');
    const id = newId('ord');
    await at.admin.pool.query(
      `INSERT INTO order_list VALUES
         ($1, 'shop', 'm1', 'NEW-1', 990, 'eur', 'open', null, now(), 1)`,
      [id],
    );
    await at.bench.payment('authorized');
    await page.getByRole('link', { name: id }).waitFor();
  });

  test('the console reconnects to its event stream after a busy server has refused the connection', async () => {
    let refused = 0;
    await page.route('**/v1/changes', async (route) => {
      refused += 1;
      if (refused > 1) return route.continue();
      return route.fulfill({ status: 503, body: '' });
    });
    const complained = at.complaints.length;
    await at.open(page, '/orders');
    await page.getByText('Reconnecting …').waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(refused).toBe(2);
    await page.unroute('**/v1/changes');
    // Removes the error that the browser has logged for the status 503.
    at.complaints.splice(complained);
  });

  test('the overview sends no second request for its figures while a request is open, even if changes arrive constantly', async () => {
    // An event stream that reports changes constantly.
    await page.route('**/v1/changes', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: 'retry: 250\nevent: attention\ndata: {}\n\n',
      }),
    );
    await at.open(page, '/');
    const requests = { open: 0, most: 0 };
    await page.route('**/v1/overview', async (route) => {
      requests.open += 1;
      requests.most = Math.max(requests.most, requests.open);
      const response = await route.fetch();
      const overview = (await response.json()) as object;
      await pause(2_500);
      requests.open -= 1;
      const provider = [{ route: 'GET /refused', calls: 20, failures: 0, refused: 20, p95Ms: 3 }];
      await route.fulfill({ response, json: { ...overview, approvals: 4_321, provider } });
    });
    await page.getByText('4,321').waitFor();
    expect(requests.most).toBe(1);
    await page.getByRole('row', { name: 'GET /refused 20 0 20 3 ms' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('a payment’s page shows an error while the payment’s state cannot be read, and shows the state afterwards', async () => {
    const complained = at.complaints.length;
    const answers: string[] = [];
    await page.route(/\?version=\d+$/, async (route) => {
      const [, version = ''] = route.request().url().split('=');
      answers.push(version);
      const isFirst = answers.filter((one) => one === version).length <= 3;
      return isFirst ? route.fulfill({ status: 503, body: '' }) : route.continue();
    });
    await at.open(page, `/payments/${paymentId}`);
    const state = page.getByRole('region', { name: 'State' });
    await state.getByRole('alert').waitFor();
    await page.getByRole('button', { name: /^Refresh from the provider:/ }).waitFor();
    await state.getByRole('row', { name: /^Status/ }).waitFor();
    await state.getByRole('alert').waitFor({ state: 'detached' });
    await page.unroute(/\?version=\d+$/);
    at.complaints.splice(complained);
  });

  test('the menu opens another page after one page has failed to load', async () => {
    const complained = at.complaints.length;
    await at.open(page, '/orders');
    await page.route('**/assets/audit-page-*.js', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    await page.unroute('**/assets/audit-page-*.js');
    at.complaints.splice(complained);
  });

  test('while an entity loads, its page never shows the state of the previously opened entity', async () => {
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\?version=1$/, async (route) => {
      await answered;
      await route.continue();
    });
    await at.open(page, `/payments/${paymentId}`);
    const state = page.getByRole('region', { name: 'State' });
    await state.getByRole('row', { name: /^Status/ }).waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await state.getByText('After event 1 of').waitFor();
    // The loading placeholder pulses for ever, but not in this browser, which prefers reduced
    // motion.
    await state.locator('.mantine-Skeleton-root').first().waitFor();
    const endless = `document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime === Infinity).length`;
    expect(await page.evaluate(endless)).toBe(0);
    expect(await state.getByRole('row').count()).toBe(0);
    expect(await state.getAttribute('aria-busy')).toBe('true');
    answer();
    await state.getByRole('row', { name: 'Status Requested' }).waitFor();
    expect(await state.getAttribute('aria-busy')).toBe('false');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('the slider shows the whole page as of an earlier time, without action buttons, and can be moved by keyboard', async () => {
    await at.go(page, `/payments/${paymentId}`);
    const state = page.getByRole('table', { name: 'State' });
    await state.getByRole('row', { name: /^Status/ }).waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await page.waitForURL('**?version=1');
    await state.getByRole('row', { name: 'Status Requested' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**?version=2');
    await page.getByText(/^As of .+ — event 2 of 4$/).waitFor();
    await page.getByText('Open', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: /^Refresh from the provider:/ }).count()).toBe(0);
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to the present' }).click();
    await page.getByText(/^Current, after/).waitFor();
    await page.getByRole('button', { name: /^Refresh from the provider:/ }).waitFor();
  });

  test('the command palette finds an order by its reference and opens it', async () => {
    await at.go(page, '/');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search by id, reference, amount').fill('A-2');
    await page.getByText(/found by reference/).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/orders/ord_*');
  });

  test('Enter opens the result of the typed text, not a result of the previous text that is still shown', async () => {
    const complained = at.complaints.length;
    await at.go(page, '/');
    const search = page.getByPlaceholder('Search by id, reference, amount');
    await page.keyboard.press('Control+k');
    await search.fill('A-2');
    await page.getByText(/found by reference/).waitFor();
    const isNext = (url: URL) => url.searchParams.get('q') === 'A-1';
    await page.route(isNext, async (route) => {
      await pause(500);
      await route.continue();
    });
    await search.fill('A-1');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/orders/ord_*');
    const { rows } = await at.admin.pool.query<{ id: string }>(
      `SELECT order_id AS id FROM order_list WHERE reference = 'A-1'`,
    );
    expect(new URL(page.url()).pathname).toBe(`/orders/${rows[0]?.id}`);
    await page.unroute(isNext);
    // Removes the reports of the order's page: the row of the list has no events.
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    at.complaints.splice(complained);
  });

  test('the search has the ARIA role combobox, its results the role option, and their number the role status', async () => {
    await at.go(page, '/');
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search' });
    const status = page.getByRole('dialog').getByRole('status');
    await search.fill('12.50');
    await status.getByText(/^\d+ results$/).waitFor();
    const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    expect(await status.innerText()).toBe(`${await options.count()} results`);
    const active = () =>
      page.evaluate(`document.getElementById(document.activeElement
        .getAttribute('aria-activedescendant')).textContent`);
    for (const index of [0, 1]) {
      const option = options.nth(index);
      expect(await option.getAttribute('aria-selected')).toBe('true');
      expect(await active()).toBe(await option.textContent());
      await page.keyboard.press('ArrowDown');
    }
    expect(await violationsInBoth(page)).toEqual([]);
    await search.fill('nothing-has-this-reference');
    await status.getByText('No results', { exact: true }).waitFor();
    expect(await search.getAttribute('aria-expanded')).toBe('false');
    expect(await violationsInBoth(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('the search finds a payment by its amount, by the last four digits of its card and by the end of its id, and lists all results', async () => {
    const complained = at.complaints.length;
    const { paymentId: found } = await at.bench.payment('captured');
    await at.projectPayments();
    await at.admin.pool.query('UPDATE payment_list SET amount_minor = 4485 WHERE payment_id = $1', [
      found,
    ]);
    await at.go(page, '/');
    const search = page.getByPlaceholder('Search by id, reference, amount');
    await page.keyboard.press('Control+k');
    await search.fill('€44.85');
    await page.getByText(/^Payment · Captured · €44\.85 · /).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/payments/${found}`);
    await page.keyboard.press('Control+k');
    await search.fill('payer:x');
    await page
      .getByRole('alert')
      .getByText(/use one of status:, amount:/)
      .waitFor();
    // Removes the browser's report of the response with the invalid search.
    at.complaints.splice(complained);
    await search.fill(found.slice(-6));
    await page.getByRole('option', { name: new RegExp(found) }).waitFor();
    await search.fill('0012 44.85');
    await page.getByText(/^Payment · Captured · €44\.85 · /).waitFor();
    await search.fill('44,85');
    await page.getByRole('option', { name: 'All results: Payments' }).click();
    await page.waitForURL('**/payments?search=44%2C85&mode=test');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByLabel('Search').fill('44.85 status:open');
    await page.getByText('No matches for these filters.').waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
  });

  test('a shortcut of two letters opens a page, and a dialog lists all shortcuts', async () => {
    await at.go(page, '/');
    // One script presses both keys, because on a busy machine two round trips from the test may
    // exceed the time limit of a key sequence.
    await page.evaluate(`for (const key of ['g', 'p']) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    }`);
    await page.waitForURL('**/payments');
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    const search = page.getByPlaceholder('Search by id, reference, amount');
    // While a dialog is open, the shortcuts open no page.
    for (const keys of ['/', 'Control+k']) {
      await page.keyboard.press(keys);
      await page.waitForTimeout(100);
      expect([keys, await search.count()]).toEqual([keys, 0]);
    }
    await list.getByRole('switch', { name: /Single-letter/ }).uncheck({ force: true });
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.waitForTimeout(100);
    expect(await search.count()).toBe(0);
    await page.evaluate('localStorage.removeItem("console-letters")');
    await page.reload();
    await page.locator('#main h1').waitFor();
    await page.keyboard.press('/');
    await search.waitFor();
    await page.keyboard.press('Escape');
  });

  test('no console page of this spec reported a script error or a failed request', () => {
    expect(at.complaints).toEqual([]);
  });

  test('a page on which nothing happens sends at most 20 requests a minute', async () => {
    const idle = await at.signedIn('admin');
    let requests = 0;
    idle.on('request', () => (requests += 1));
    // The page's time runs faster than the server's, so the server's heartbeats are too late for
    // the page.
    await idle.addInitScript(`window.EventSource = class extends EventSource {
      constructor(url) { super(url); window.changes = this; }
    }`);
    await idle.clock.install();
    await at.open(idle, '/');
    const ofMinute: Record<string, number> = {};
    for (const path of [...BUSIEST, `/payments/${paymentId}`, `/payouts/${payoutId}`]) {
      await at.go(idle, path);
      await pause(500);
      requests = 0;
      for (let second = 0; second < 60; second += 5) {
        await idle.evaluate(`window.changes.dispatchEvent(new Event('beat'))`);
        await idle.clock.runFor(5_000);
        await pause(60);
      }
      ofMinute[path] = requests;
    }
    expect(Object.entries(ofMinute).filter(([, count]) => count > 20)).toEqual([]);
    expect(ofMinute['/queues']).toBeGreaterThan(5);
  });

  test('no console page of this spec reported a script error or a failed request', () => {
    expect(at.complaints).toEqual([]);
  });
});
