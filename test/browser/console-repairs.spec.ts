import type { Page } from 'playwright-core';
import { instantFromMs, newId } from '#kernel';
import { paymentAggregate } from '#payment';
import type { CompanyStatus, MerchantCommand } from '#onboarding';
import { hasBrowser } from '#testing';
import { ConsoleFixture, violationsInBoth } from './support/console.js';
import { BUG, FailingCheckout } from './support/failing-checkout.js';

const REASON = 'the provider shows it done';

const now = () => instantFromMs(Date.now());

/** A look at the company, as a worker takes it. */
const observed = (status: CompanyStatus): MerchantCommand => ({
  type: 'ObserveCompanyStatus',
  at: now(),
  observation: {
    companyId: 'comp_1',
    companyAccountId: null,
    status,
    terminatedByService: null,
    seen: { source: 'read', readAt: now() },
  },
});

/** Who decides reads in French, on the page of approvals, what they decide upon. */
const decidesInFrench = async (page: Page): Promise<void> => {
  await page.evaluate('localStorage.setItem("console-language", "fr")');
  await page.reload();
  await page
    .getByRole('button', { name: /^Approuver: Régler l’appel/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const preview = dialog.getByRole('region', { name: 'Ce qui se passerait' });
  await preview.getByText(/^Le prestataire montre .+ \(capture\) : il a été fait\.$/).waitFor();
  await preview.getByText('L’intention et ses détails sont lus.').waitFor();
  const text = await preview.innerText();
  // The fields of an event have the names that they are recorded by.
  const untranslated = await dialog.locator('[lang=en]:not(dt)').count();
  await page.evaluate('localStorage.removeItem("console-language")');
  await page.reload();
  expect(text).not.toMatch(/\b(?:the|is|are|of|provider|made)\b/i);
  expect(untranslated).toBe(0);
};

/** Looks at another tab, and returns. */
const comeBackTo = async (page: Page): Promise<void> => {
  for (const isHidden of [true, false]) {
    await page.evaluate(`Object.defineProperties(document, {
      hidden: { configurable: true, value: ${isHidden} },
      visibilityState: { configurable: true, value: '${isHidden ? 'hidden' : 'visible'}' },
    });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  }
};

(hasBrowser() ? describe : describe.skip)('repairs in the console', () => {
  let at: ConsoleFixture;

  beforeAll(async () => {
    at = await ConsoleFixture.start();
  });
  afterAll(() => at.stop());

  const looksRight = async (page: Page): Promise<void> =>
    expect(await violationsInBoth(page)).toEqual([]);

  /** Says why, looks at what would happen, and asks for it. */
  const repair = async (page: Page, kind: string, last: string): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await page
      .getByRole('button', { name: new RegExp(`^${kind}:`) })
      .first()
      .click();
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByRole('button', { name: 'See what would happen' }).click();
    await dialog.getByRole('region', { name: 'What would happen' }).waitFor();
    await looksRight(page);
    await dialog.getByRole('button', { name: last }).click();
  };

  test('a capture that timed out is found, understood and repaired by two people', async () => {
    const { paymentId, jobId } = await at.timedOutCapture();
    const page = await at.signedIn('operator');
    await page.getByRole('link', { name: /Stuck calls/ }).click();
    await page.getByRole('link', { name: paymentId }).click();
    await page.getByText('stuck: a person must decide').waitFor();
    await page.getByText('CaptureRequested').first().waitFor();
    await repair(page, 'Settle the call', 'Ask for approval');
    await page.getByText('Nothing is done yet.').waitFor();
    const { rows } = await at.admin.pool.query<{ state: string }>(
      'SELECT state FROM jobs WHERE key = $1',
      [jobId],
    );
    expect(rows[0]?.state).toBe('stuck');
    await page.getByRole('dialog').getByRole('link', { name: 'To the approvals' }).click();
    await page.getByText('Somebody else must approve it.').waitFor();
    expect(await page.getByRole('button', { name: /^Approve:/ }).count()).toBe(0);
    await page.close();

    const second = await at.signedIn('operator', `/payments/${paymentId}`);
    await second.locator('#main').getByText('Waits for approval').waitFor();
    await second.getByRole('link', { name: 'To the approvals' }).click();
    await second.waitForURL('**/approvals*');
    await decidesInFrench(second);
    const looks: string[] = [];
    second.on('request', (request) => {
      if (request.url().endsWith('/preview')) looks.push(request.url());
    });
    const wish = second.getByRole('row', { name: /Settle the call/ }).first();
    await wish.getByText('€12.50').waitFor();
    await wish.getByRole('link', { name: paymentId }).waitFor();
    await second
      .getByRole('button', { name: /^Approve: Settle the call/ })
      .first()
      .click();
    const dialog = second.getByRole('dialog');
    const preview = dialog.getByRole('region', { name: 'What would happen' });
    await preview.getByText('€12.50').first().waitFor();
    await preview.getByText('The provider has taken the capture').waitFor();
    await preview.getByRole('link', { name: paymentId }).first().waitFor();
    await looksRight(second);

    // It changes while they look elsewhere: what they have read is done, or nothing.
    at.provider.intent = { ...at.provider.intent, status: 'captured' };
    const looked = second.waitForResponse('**/v1/session');
    await comeBackTo(second);
    await looked;
    expect(looks.length).toBe(1);
    await preview.getByText('The provider has taken the capture').waitFor();
    await dialog.getByRole('button', { name: 'Approve, and do it' }).click();
    await dialog.getByText(/not what you saw/).waitFor();
    expect(await preview.count()).toBe(0);
    await dialog.getByRole('button', { name: 'See what would happen' }).click();
    await preview.getByText('The payment is captured').waitFor();
    await dialog.getByRole('button', { name: 'Approve, and do it' }).click();
    await dialog.getByText('It is done.').waitFor();
    await at.open(second, `/payments/${paymentId}`);
    await second.getByText('PaymentCaptured').first().waitFor();
    await second.close();
  });

  test('nobody is asked to approve what would change nothing', async () => {
    const { paymentId } = await at.bench.payment('authorized');
    const page = await at.signedIn('operator', `/payments/${paymentId}`);
    await page.getByRole('button', { name: /^Capture:/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(REASON);
    await at.admin.store.execute(
      paymentAggregate,
      paymentId,
      { type: 'RequestCapture', captureId: 'cap_1', by: 'platform', at: now() },
      { correlationId: paymentId, causationId: 'spec', actor: 'platform:shop', traceparent: null },
    );
    await dialog.getByRole('button', { name: 'See what would happen' }).click();
    await dialog.getByText(/^It would change nothing/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Ask for approval' }).count()).toBe(0);
    await page.close();
  });

  test('an amount of nothing is no refund, and the form says so', async () => {
    const { paymentId } = await at.bench.payment('captured');
    const page = await at.signedIn('operator', `/payments/${paymentId}`);
    await page.getByRole('button', { name: /^Refund:/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByLabel('Amount in EUR').fill('0');
    await dialog.getByRole('button', { name: 'See what would happen' }).click();
    await dialog.getByText(/^Give an amount above zero/).waitFor();
    await dialog.getByLabel('Amount in EUR').fill('0.50');
    await dialog.getByRole('button', { name: 'See what would happen' }).click();
    await dialog.getByRole('region', { name: 'What would happen' }).waitFor();
    await page.close();
  });

  test('a webhook that failed is taken in once more; one that nobody tried is let be', async () => {
    await at.admin.pool.query('DELETE FROM webhooks_received');
    const { subjectId } = await at.bench.targetFor('reprocess_webhook');
    await at.bench.targetFor('reprocess_webhook');
    await at.admin.pool.query(
      `UPDATE webhooks_received SET handled_at = NULL, type = 'payment.captured',
              tries = CASE WHEN id = $1 THEN 7 ELSE 0 END`,
      [subjectId],
    );
    const page = await at.signedIn('operator', '/webhooks');
    const failed = page.getByRole('row', { name: /Failed 7 times/ });
    await failed.waitFor();
    await page.getByRole('row', { name: /Waits/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Reprocess:/ }).count()).toBe(1);
    await repair(page, 'Reprocess', 'Do it');
    await page.getByText(/^It is passed on/).waitFor();
    await failed.waitFor({ state: 'detached' });
    const {
      rows: [job],
    } = await at.admin.pool.query<{ state: string }>(
      `SELECT state FROM jobs WHERE kind = 'intent.read'`,
    );
    expect(job?.state).toBe('ready');
    await page.close();
  });

  test('a workflow that cannot react is found from the overview, understood and retried', async () => {
    const { pool, store } = at.admin;
    const failing = await FailingCheckout.placed(pool);
    const { orderId } = failing;
    const page = await at.signedIn('operator');
    await page.getByRole('link', { name: /Failed reactions/ }).click();
    const row = page.getByRole('row', { name: new RegExp(orderId) });
    await row.getByText(/^Retrying/).waitFor();
    await failing.block();
    await row.getByText('Blocked').waitFor();
    await row.getByText(BUG).waitFor();
    await row.getByText('Stack trace').click();
    await row.getByRole('region', { name: 'Stack trace' }).waitFor();
    await looksRight(page);
    await row.getByRole('link', { name: 'OrderPlaced' }).click();
    await page.waitForURL(`**/orders/${orderId}?version=1`);
    const pending = page.getByRole('region', { name: 'What it waits for' });
    await pending.getByText('Blocked').waitFor();
    await pending.getByText(BUG).waitFor();
    await pending.getByRole('link', { name: 'Failed reactions' }).click();
    const worker = failing.fixed(store);
    await repair(page, 'Retry the reaction', 'Do it');
    await page.getByText(/^It is passed on/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await row.waitFor({ state: 'detached' });
    await worker.beforeApplicationShutdown();
    await at.open(page, `/orders/${orderId}`);
    await page.getByText('OrderPaymentStarted').first().waitFor();
    await page.getByText('retry_reaction').first().waitFor();
    await page.getByText(REASON).first().waitFor();
    await page
      .getByText(/^by u-/)
      .first()
      .waitFor();
    expect(await page.getByText(/^by user:/).count()).toBe(0);
    await page.close();
  });

  test('a reaction is discarded by two people, and stays to be seen', async () => {
    const { subjectId } = await at.bench.failedReaction();
    const page = await at.signedIn('operator', '/queues?view=failed');
    await page.getByRole('link', { name: subjectId }).waitFor();
    await repair(page, 'Discard the reaction', 'Ask for approval');
    await page.getByText('Nothing is done yet.').waitFor();
    await page.close();

    const second = await at.signedIn('operator', '/approvals');
    const asked = second.getByRole('row', { name: /Discard the reaction/ });
    await asked.getByRole('link', { name: subjectId }).waitFor();
    await asked.getByRole('button', { name: /^Approve: Discard the reaction/ }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByText(/would have done on OrderPlaced is never done\.$/).waitFor();
    await looksRight(second);
    await dialog.getByRole('button', { name: 'Approve, and do it' }).click();
    await dialog.getByText('It is done.').waitFor();
    await at.open(second, '/queues?view=failed');
    await second.getByText(/^No failed reactions/).waitFor();
    await second.getByRole('tab', { name: 'Discarded reactions' }).click();
    const discarded = second.getByRole('row', { name: subjectId });
    await discarded.getByText('it broke').waitFor();
    await discarded.getByText(REASON).waitFor();
    await discarded.getByText(/^u-/).waitFor();
    await second.close();
  });

  test('a payout’s exception is seen beside its line, and closed with a reason', async () => {
    const { payoutId } = await at.paidOut();
    const page = await at.signedIn('operator', '/payouts');
    await page.getByText('1 exception').waitFor();
    await page.getByRole('link', { name: payoutId }).click();
    const lines = page.getByRole('table', { name: 'Lines' });
    await lines.getByRole('row').nth(3).waitFor();
    expect(await lines.getByText('Agrees', { exact: true }).count()).toBe(2);
    await page.getByRole('switch', { name: 'Only those that differ' }).check({ force: true });
    const unknown = lines.getByRole('row', { name: /paym_3/ });
    await lines.getByRole('row', { name: /paym_1/ }).waitFor({ state: 'detached' });
    await unknown.getByText('Nothing in our ledger').waitFor();
    await unknown.getByText('an entry of our journal').waitFor();
    await repair(page, 'Close', 'Ask for approval');
    await page.getByText('Nothing is done yet.').waitFor();
    const of = new RegExp(`^Close: Unknown, Payment paym_3, €[\\d.]+, Payout ${payoutId}$`);
    await page
      .getByRole('dialog', { name: of })
      .getByRole('button', { name: 'Close' })
      .last()
      .click();
    await page.close();
    const second = await at.signedIn('operator', '/approvals');
    await second.getByRole('button', { name: /^Approve: Close/ }).click();
    await second.getByRole('button', { name: 'Approve, and do it' }).click();
    await second.getByText('It is done.').waitFor();
    await at.open(second, `/payouts/${payoutId}`);
    await second.getByRole('switch', { name: 'Only those that differ' }).check({ force: true });
    await second.getByText('No line differs.').waitFor();
    await at.open(second, '/reconciliation?state=closed');
    await second.getByText(REASON).waitFor();
    await second.close();
  });

  test('a merchant is followed from its registration to available', async () => {
    const merchantId = newId('mer');
    const page = await at.signedIn('viewer', '/merchants');
    const cardIn = (status: string) =>
      page
        .getByRole('region', { name: new RegExp(`^${status}`) })
        .getByRole('link', { name: /Boulangerie/ });
    await at.merchantGoes(merchantId, {
      type: 'DraftMerchant',
      platformId: 'shop',
      reference: 'Boulangerie',
      mode: 'test',
      firstTerminal: null,
      detailsRef: newId('det'),
      at: now(),
    });
    await cardIn('Requested').waitFor();
    await at.merchantGoes(merchantId, observed('incomplete'), {
      type: 'ObserveRequirements',
      missing: ['documents.registration_extract', 'signature'],
      readAt: now(),
      at: now(),
    });
    await cardIn('Incomplete').getByText('signature').waitFor();
    await cardIn('Incomplete').getByText('registration extract').waitFor();
    await cardIn('Incomplete').click();
    await page.getByText('RequirementsObserved').first().waitFor();
    await at.merchantGoes(
      merchantId,
      observed('in_review'),
      observed('validated'),
      observed('available'),
      { type: 'AttachAccount', accountId: newId('acc'), mode: 'test', readAt: now(), at: now() },
    );
    await page.getByText('MerchantOpened').first().waitFor();
    await page.locator('#main').getByText('Available', { exact: true }).first().waitFor();
    await page.goBack();
    await cardIn('Available')
      .getByText(/takes orders/)
      .waitFor();
    expect(await page.getByText('signature').count()).toBe(0);
    await page.close();
  });

  test('a viewer sees all of it, and finds nothing to change', async () => {
    const { paymentId } = await at.timedOutCapture();
    await at.bench.failedReaction();
    await at.bench.targetFor('close_exception');
    await at.bench.anotherAccount();
    const page = await at.signedIn('viewer');
    const changing =
      /^(Refresh|Capture|Refund|Settle|Retry|Discard|Close|Rebuild|Reprocess|Read|New|Use|Disable|Withdraw)/;
    for (const path of [
      `/payments/${paymentId}`,
      '/queues?view=failed',
      '/queues?view=calls',
      '/queues?view=projections',
      '/reconciliation',
      '/webhooks',
      '/approvals',
      '/users',
      '/settings?view=accounts',
    ]) {
      await at.open(page, path);
      const found = await page.locator('#main').getByRole('button', { name: changing }).count();
      expect([path, found]).toEqual([path, 0]);
    }
    await page.close();
  });

  test('an operator withdraws an account, and only an admin lets orders use or lose one', async () => {
    const { used, waiting } = await at.bench.anotherAccount();
    for (const [role, isFound] of [
      ['operator', 0],
      ['admin', 1],
    ] as const) {
      const page = await at.signedIn(role, '/settings?view=accounts');
      const button = (name: string, id: string) =>
        page.getByRole('button', { name: `${name}: ${id}`, exact: true });
      await button('Withdraw the account', waiting).waitFor();
      expect([
        await button('Use for orders', waiting).count(),
        await button('Disable the account', used).count(),
      ]).toEqual([isFound, isFound]);
      await page.close();
    }
  });
});
