import type { Locator, Page } from 'playwright-core';
import { instantFromMs, newId } from '#kernel';
import { paymentAggregate } from '#payment';
import type { CompanyStatus, MerchantCommand } from '#onboarding';
import { ApiKeyStore } from '#platform';
import { hasBrowser } from '#testing';
import { outage, paymentGoes, refundIs } from '../../apps/admin/cases/cases.fixture.js';
import { violationsInBoth } from '../../tools/infra/axe.mjs';
import { ConsoleFixture } from './support/console.js';
import { BUG, FailingCheckout } from './support/failing-checkout.js';
import { amount, approvalOf, begins, TEXTS, whole } from './support/labels.js';

const REASON = 'the provider shows it done';

/** The languages of the people in the tests that count clicks. */
const FIRST = 'fr';
const SECOND = 'en';

const now = () => instantFromMs(Date.now());

/** The command with which a worker records a company status that was read from the provider. */
const observed = (status: CompanyStatus): MerchantCommand => ({
  type: 'ObserveCompanyStatus',
  at: now(),
  observation: {
    companyId: 'comp_1',
    companyAccountId: null,
    status,
    terminatedByProvider: null,
    seen: { source: 'read', readAt: now() },
  },
});

/**
 * The approver, whose console is in French, reads the effect of the action on the page of
 * approvals.
 */
const decidesInFrench = async (page: Page): Promise<void> => {
  await page.evaluate('localStorage.setItem("console-language", "fr")');
  await page.reload();
  await page
    .getByRole('button', { name: /^Approuver\s: Déterminer le résultat inconnu/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const preview = dialog.getByRole('region', { name: 'Aperçu' });
  await preview.getByText(/^Chez le prestataire, .+ \(capture\)\s: requête exécutée\.$/).waitFor();
  await preview
    .getByText(
      'Lire l’intention de paiement chez le prestataire, avec ses paiements, remboursements et ' +
        'contestations.',
    )
    .waitFor();
  const text = await preview.innerText();
  // The names of event fields are not translated, so the check for English words omits them.
  const untranslated = await dialog.locator('[lang=en]:not(dt)').count();
  await page.evaluate('localStorage.removeItem("console-language")');
  await page.reload();
  expect(text).not.toMatch(/\b(?:the|is|are|of|provider|made)\b/i);
  expect(untranslated).toBe(0);
};

/** Switches to another browser tab and back. */
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

  const hasNoVisualFault = async (page: Page): Promise<void> =>
    expect(await violationsInBoth(page)).toEqual([]);

  /** Enters a reason, opens the preview, which shows the `effect`, and requests the action. */
  const repair = async (page: Page, kind: string, last: string, effect?: RegExp): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await page
      .getByRole('button', { name: new RegExp(`^${kind}:`) })
      .first()
      .click();
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.waitFor();
    if (effect !== undefined) await preview.getByText(effect).waitFor();
    await hasNoVisualFault(page);
    await dialog.getByRole('button', { name: last }).click();
  };

  test('one operator requests the repair of a capture that timed out, and another operator approves the repair', async () => {
    const { paymentId, jobId } = await at.timedOutCapture();
    await at.projectPayments();
    const page = await at.signedIn('operator');
    await page.getByRole('link', { name: /^1 Failed provider requests/ }).click();
    await page.getByRole('link', { name: paymentId }).click();
    await page.getByText('Retries exhausted').waitFor();
    await page
      .getByText(/^Requested the capture of €12\.50, by /)
      .first()
      .waitFor();
    await repair(page, 'Resolve unknown result', 'Request approval');
    await page.getByText(/^A second person must approve/).waitFor();
    const { rows } = await at.admin.pool.query<{ state: string }>(
      'SELECT state FROM jobs WHERE key = $1',
      [jobId],
    );
    expect(rows[0]?.state).toBe('stuck');
    await page.getByRole('dialog').getByRole('link', { name: 'View approvals' }).click();
    await page.getByText('You requested this action: another person must approve it.').waitFor();
    expect(await page.getByRole('button', { name: /^Approve:/ }).count()).toBe(0);

    const second = await at.signedIn('operator', `/payments/${paymentId}`);
    await second.locator('#main').getByText('Awaiting approval').waitFor();
    await second.getByRole('link', { name: 'View approvals' }).click();
    await second.waitForURL('**/approvals*');
    await decidesInFrench(second);
    const previews: string[] = [];
    second.on('request', (sent) => {
      if (sent.url().endsWith('/preview')) previews.push(sent.url());
    });
    const request = second.getByRole('row', { name: /Resolve unknown result/ }).first();
    await request.getByText('€12.50').waitFor();
    await request.getByRole('link', { name: paymentId }).waitFor();
    await second
      .getByRole('button', { name: /^Approve: Resolve unknown result/ })
      .first()
      .click();
    const dialog = second.getByRole('dialog');
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('€12.50').first().waitFor();
    await preview.getByText('Capture accepted by the provider').waitFor();
    await preview.getByRole('link', { name: paymentId }).first().waitFor();
    await hasNoVisualFault(second);

    // The payment's state changes after the preview. The action must then have the previewed effect
    // or no effect.
    at.provider.intent = { ...at.provider.intent, status: 'captured' };
    const sessionRead = second.waitForResponse('**/v1/session');
    await comeBackTo(second);
    await sessionRead;
    expect(previews.length).toBe(1);
    await preview.getByText('Capture accepted by the provider').waitFor();
    await dialog.getByRole('button', { name: 'Approve and run' }).click();
    await dialog.getByText(/differs from your preview/).waitFor();
    expect(await preview.count()).toBe(0);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await preview.getByText('Payment captured').waitFor();
    await dialog.getByRole('button', { name: 'Approve and run' }).click();
    await dialog.getByText('The action is done.').waitFor();
    await at.go(second, `/payments/${paymentId}`);
    await second
      .getByText(/^Captured €12\.50/)
      .first()
      .waitFor();
  });

  /** Counts the clicks of all people who work on one repair. */
  const walk = () => {
    let count = 0;
    return {
      click: async (target: Locator): Promise<void> => {
        count += 1;
        await target.first().click();
      },
      count: () => count,
    };
  };

  /** Enters a reason, opens the preview, and sends the form. */
  const previewed = async (
    page: Page,
    { click }: ReturnType<typeof walk>,
    last: 'requestApproval' | 'run',
    effect?: keyof typeof TEXTS,
  ): Promise<Locator> => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(TEXTS.reason[FIRST]).fill(REASON);
    await click(dialog.getByRole('button', { name: whole('runPreview', FIRST) }));
    const preview = dialog.getByRole('region', { name: TEXTS.preview[FIRST] });
    await preview.waitFor();
    if (effect !== undefined) await preview.getByText(whole(effect, FIRST)).waitFor();
    await hasNoVisualFault(page);
    await click(dialog.getByRole('button', { name: whole(last, FIRST) }));
    return dialog;
  };

  test('two selected incidents are retried by one request and one approval in nine clicks', async () => {
    await at.admin.pool.query(`UPDATE jobs SET state = 'done'`);
    await at.speak(FIRST);
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await outage(at.bench, 2, hoursAgo(8));
    await outage(at.bench, 3, hoursAgo(4));
    const people = walk();
    const { click } = people;
    const page = await at.signedIn('operator');
    await click(page.getByRole('link', { name: whole('cases', FIRST) }));
    for (const name of ['outageOfTwo', 'outageOfThree'] as const) {
      const row = page.getByRole('row').filter({ hasText: TEXTS[name][FIRST] });
      await click(row.getByRole('checkbox'));
    }
    const selected = page.getByRole('group', { name: TEXTS.selectedRows[FIRST] });
    await click(selected.getByRole('button', { name: begins('retryAll', FIRST) }));
    await previewed(page, people, 'requestApproval');
    await page.getByText(begins('needsSecond', FIRST)).waitFor();

    await at.speak(SECOND);
    const second = await at.signedIn('operator');
    await click(second.getByRole('link', { name: whole('cases', SECOND) }));
    await click(second.getByRole('button', { name: approvalOf('retryAll', SECOND) }));
    const dialog = second.getByRole('dialog');
    await dialog.getByText(begins('readForFive', SECOND)).waitFor();
    await dialog.getByText(amount('62.50')).first().waitFor();
    await click(dialog.getByRole('button', { name: whole('approveAndRun', SECOND) }));
    await dialog.getByRole('status').waitFor();
    expect(people.count()).toBe(9);
    const { rowCount } = await at.admin.pool.query(`SELECT FROM jobs WHERE state = 'stuck'`);
    expect(rowCount).toBe(0);
  });

  test('a selected incident that has changed since the list was read is left as it is, and the page says so', async () => {
    const { pool } = at.admin;
    await pool.query(`UPDATE jobs SET state = 'done'`);
    const jobs = await outage(at.bench, 2, new Date(Date.now() - 2 * 3_600_000));
    const page = await at.signedIn('operator', '/cases');
    const row = page.getByRole('row').filter({ hasText: TEXTS.outageOfTwo.en });
    await row.getByRole('checkbox').click();
    // The first case of the incident ends between the last read of the list and the click.
    const isOfIncident = (url: URL) => url.searchParams.has('incident');
    await page.route(isOfIncident, (route) =>
      route.fulfill({ json: { items: [], nextCursor: null } }),
    );
    const selected = page.getByRole('group', { name: TEXTS.selectedRows.en });
    await selected.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText(/^1 selected incident has changed or ended meanwhile/).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    const { rowCount } = await pool.query('SELECT FROM case_notes WHERE case_id = ANY ($1)', [
      jobs.map((key) => `failed_request:${key}`),
    ]);
    expect(rowCount).toBe(0);
  });

  test('an approver is offered to reject a retry whose requests have changed, after which it can be requested again', async () => {
    const { pool } = at.admin;
    await pool.query(`UPDATE jobs SET state = 'done'`);
    const [, later] = await outage(at.bench, 2, new Date(Date.now() - 2 * 3_600_000));
    await at.speak(FIRST);
    const page = await at.signedIn('operator', '/cases');
    const row = page.getByRole('row').filter({ hasText: TEXTS.outageOfTwo[FIRST] });
    await row.getByRole('button', { name: begins('retryAll', FIRST) }).click();
    await previewed(page, walk(), 'requestApproval');
    await page.getByText(begins('needsSecond', FIRST)).waitFor();
    await pool.query(`UPDATE jobs SET state = 'waiting' WHERE key = $1`, [later]);

    await at.speak(SECOND);
    const complained = at.complaints.length;
    const second = await at.signedIn('operator', '/cases');
    await second.getByRole('button', { name: approvalOf('retryAll', SECOND) }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByText(/^The failed requests of the incident have changed/).waitFor();
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByLabel('Reason').fill('one request was retried');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.waitFor({ state: 'detached' });
    at.complaints.splice(complained);
    const { rows } = await pool.query(
      `SELECT status FROM admin_actions WHERE kind = 'retry_requests'
        ORDER BY requested_at DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ status: 'rejected' }]);
  });

  test('the mismatch of a payment is reviewed by two people in eight clicks, which ends its case', async () => {
    await at.speak(FIRST);
    const paymentId = await at.bench.mismatchedPayment();
    await at.projectPayments();
    const people = walk();
    const { click } = people;
    const page = await at.signedIn('operator');
    await click(page.getByRole('link', { name: whole('cases', FIRST) }));
    const ofPayment = page.getByRole('row').filter({ has: page.getByTitle(paymentId) });
    await click(ofPayment.getByRole('link', { name: whole('mismatch', FIRST) }));
    await click(page.getByRole('button', { name: begins('review', FIRST) }));
    await previewed(page, people, 'requestApproval');
    await page.getByText(begins('needsSecond', FIRST)).waitFor();

    await at.speak(SECOND);
    const second = await at.signedIn('operator');
    await click(second.getByRole('link', { name: whole('cases', SECOND) }));
    await click(second.getByRole('button', { name: approvalOf('review', SECOND) }));
    const dialog = second.getByRole('dialog');
    await dialog.getByText(begins('reviewed', SECOND)).waitFor();
    await click(dialog.getByRole('button', { name: whole('approveAndRun', SECOND) }));
    await dialog.getByRole('status').waitFor();
    expect(people.count()).toBe(8);
    await at.projectPayments();
    await at.open(second, `/cases/mismatch:${paymentId}`);
    await second.getByText(begins('caseIsClosed', SECOND)).waitFor();
  });

  test('the webhooks that an endpoint did not accept are selected, previewed and sent again in five clicks', async () => {
    await at.speak(FIRST);
    const { subjectId } = await at.bench.targetFor('redeliver_webhooks');
    const people = walk();
    const { click } = people;
    const page = await at.signedIn('operator', `/webhook-endpoints/${subjectId}`);
    await click(page.getByRole('link', { name: whole('sentWebhooks', FIRST) }));
    await page.waitForURL(`**/webhooks?view=sent&endpointId=${subjectId}`);
    await click(page.getByRole('checkbox', { name: whole('selectAll', FIRST) }));
    await hasNoVisualFault(page);
    await click(page.getByRole('button', { name: begins('redeliver', FIRST) }));
    const dialog = await previewed(page, people, 'run', 'sendTwo');
    await dialog.getByRole('status').waitFor();
    expect(people.count()).toBe(5);
    const { rows } = await at.admin.pool.query<{ state: string; tries: number }>(
      'SELECT DISTINCT state, tries FROM webhook_deliveries WHERE endpoint_id = $1',
      [subjectId],
    );
    expect(rows).toEqual([{ state: 'pending', tries: 0 }]);
    await at.speak(SECOND);
  });

  test('an action whose preview shows no effect cannot be submitted for approval', async () => {
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
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText(/^This action would change nothing/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Request approval' }).count()).toBe(0);
  });

  test('an approver is offered to reject an action that would change nothing any more', async () => {
    const { paymentId } = await at.bench.payment('authorized');
    const page = await at.signedIn('operator', `/payments/${paymentId}`);
    await repair(page, 'Capture', 'Request approval');
    await page.getByText(/^A second person must approve/).waitFor();
    const capture = {
      type: 'RequestCapture',
      captureId: 'cap_2',
      by: 'platform',
      at: now(),
    } as const;
    await paymentGoes(at.admin, paymentId, capture);
    const second = await at.signedIn('operator', `/payments/${paymentId}`);
    await second.getByRole('link', { name: 'View approvals' }).click();
    await second
      .getByRole('row')
      .filter({ hasText: paymentId })
      .getByRole('button', { name: /^Approve:/ })
      .click();
    const dialog = second.getByRole('dialog');
    await dialog.getByText('This action would change nothing.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByLabel('Reason').fill('the platform has captured the payment');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('the error of a refused request is not shown beside a later preview', async () => {
    const { paymentId } = await at.bench.payment('captured');
    const page = await at.signedIn('operator', `/payments/${paymentId}`);
    await page.getByRole('button', { name: /^Refund:/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('region', { name: 'Preview' }).waitFor();
    const refund = { requestId: newId('rfr'), amountMinor: 500, reference: null, reason: null };
    await paymentGoes(at.admin, paymentId, { type: 'RequestRefund', ...refund, at: now() });
    await refundIs(at.admin, paymentId, 'to_refund');
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    const error = dialog.getByText(/^The effect of the action differs from your preview/);
    await error.waitFor();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('region', { name: 'Preview' }).waitFor();
    expect(await error.count()).toBe(0);
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    await page.getByText(/^A second person must approve/).waitFor();
  });

  test('a payment without an intent offers no refresh, and its case says to wait', async () => {
    const { paymentId } = await at.bench.payment('requested');
    const unknown = { type: 'NoteUnknownOutcome', call: 'create_intent', at: now() } as const;
    await paymentGoes(at.admin, paymentId, unknown);
    const page = await at.signedIn('operator', `/cases/unknown_result:${paymentId}.create_intent`);
    await page.getByText(/^Wait for the next read from the provider/).waitFor();
    const refresh = page.getByRole('button', { name: /^Refresh/ });
    expect(await refresh.count()).toBe(0);
    await at.go(page, `/payments/${paymentId}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await refresh.count()).toBe(0);
  });

  test('the refund form refuses an amount of zero with a message', async () => {
    const { paymentId } = await at.bench.payment('captured');
    const page = await at.signedIn('operator', `/payments/${paymentId}`);
    await page.getByRole('button', { name: /^Refund:/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByLabel('Amount in EUR').fill('0');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText(/^Enter an amount above zero/).waitFor();
    await dialog.getByLabel('Amount in EUR').fill('0.50');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('region', { name: 'Preview' }).waitFor();
  });

  test('an operator can reprocess a failed webhook, but not a pending webhook', async () => {
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
    await page.getByRole('row', { name: /Pending/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Reprocess webhook:/ }).count()).toBe(1);
    await repair(page, 'Reprocess webhook', 'Run');
    await page.getByText(/^The action is executed in the background/).waitFor();
    await failed.waitFor({ state: 'detached' });
    const {
      rows: [job],
    } = await at.admin.pool.query<{ state: string }>(
      `SELECT state FROM jobs WHERE kind = 'intent.read'`,
    );
    expect(job?.state).toBe('ready');
  });

  test('an operator finds a blocked workflow from the overview, reads its error and retries it', async () => {
    const { pool, store } = at.admin;
    const failing = await FailingCheckout.placed(pool);
    const { orderId } = failing;
    const page = await at.signedIn('operator');
    await page.getByRole('link', { name: /^1 Failed automatic reactions/ }).click();
    const row = page.getByRole('row', { name: new RegExp(orderId) });
    await row.getByText(BUG).waitFor();
    await at.go(page, '/queues?view=failed');
    await row.getByText(/^Retrying/).waitFor();
    await failing.block();
    await row.getByText('Blocked').waitFor();
    await row.getByText(BUG).waitFor();
    await row.getByText('Technical details').click();
    await row.getByRole('region', { name: 'Technical details' }).waitFor();
    await hasNoVisualFault(page);
    await row.getByRole('link', { name: 'Order placed' }).click();
    await page.waitForURL(`**/orders/${orderId}?version=1`);
    const pending = page.getByRole('region', { name: 'Pending' });
    await pending.getByText('Blocked').waitFor();
    await pending.getByText(BUG).waitFor();
    await pending.getByRole('link', { name: 'Failed automatic reactions' }).click();
    const worker = failing.fixed(store);
    await repair(page, 'Retry automatic reaction', 'Run');
    await page.getByText(/^The action is executed in the background/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await row.waitFor({ state: 'detached' });
    await worker.beforeApplicationShutdown();
    await at.go(page, `/orders/${orderId}`);
    await page.getByText('Started the payment of €12.50').first().waitFor();
    await page.getByText('Action requested: Retry automatic reaction').first().waitFor();
    await page.getByText(REASON).first().waitFor();
    await page
      .getByText(/^by u-/)
      .first()
      .waitFor();
    expect(await page.getByText(/^by user:/).count()).toBe(0);
  });

  test('two people discard a saga’s failed reaction, which is then listed under “Discarded automatic reactions”', async () => {
    const { subjectId } = await at.bench.failedReaction();
    const page = await at.signedIn('operator', '/queues?view=failed');
    await page.getByRole('link', { name: subjectId }).waitFor();
    await repair(page, 'Discard automatic reaction', 'Request approval');
    await page.getByText(/^A second person must approve/).waitFor();

    const second = await at.signedIn('operator', '/approvals');
    const asked = second.getByRole('row', { name: /Discard automatic reaction/ });
    await asked.getByRole('link', { name: subjectId }).waitFor();
    await asked.getByRole('button', { name: /^Approve: Discard automatic reaction/ }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByText(/to OrderPlaced is discarded permanently\.$/).waitFor();
    await hasNoVisualFault(second);
    await dialog.getByRole('button', { name: 'Approve and run' }).click();
    await dialog.getByText('The action is done.').waitFor();
    await at.go(second, '/queues?view=failed');
    await second.getByText(/^No failed automatic reactions/).waitFor();
    await second.getByRole('tab', { name: 'Discarded automatic reactions' }).click();
    const discarded = second.getByRole('row', { name: subjectId });
    await discarded.getByText('it broke').waitFor();
    await discarded.getByText(REASON).waitFor();
    await discarded.getByText(/^u-/).waitFor();
  });

  test('a reconciliation break is shown beside its payout line, and an operator closes it with a reason', async () => {
    const { payoutId } = await at.paidOut();
    const page = await at.signedIn('operator', '/payouts');
    await page.getByText('1 break').waitFor();
    await page.getByRole('link', { name: payoutId }).click();
    const lines = page.getByRole('table', { name: 'Lines' });
    await lines.getByRole('row').nth(3).waitFor();
    expect(await lines.getByText('Matched', { exact: true }).count()).toBe(2);
    await page.getByRole('switch', { name: 'Breaks only' }).check({ force: true });
    const unknown = lines.getByRole('row', { name: /paym_3/ });
    await lines.getByRole('row', { name: /paym_1/ }).waitFor({ state: 'detached' });
    await unknown.getByText('No ledger entry').waitFor();
    await unknown.getByText('no entry').waitFor();
    await repair(page, 'Close reconciliation break', 'Request approval');
    await page.getByText(/^A second person must approve/).waitFor();
    const of = new RegExp(
      `^Close reconciliation break: Not in ledger, Payment paym_3, €[\\d.]+, Payout ${payoutId}$`,
    );
    await page
      .getByRole('dialog', { name: of })
      .getByRole('button', { name: 'Close' })
      .last()
      .click();
    await at.approve('close_exception');
    await page.getByText('No breaks.').waitFor();
    await at.go(page, '/reconciliation?state=closed');
    await page.getByText(REASON).waitFor();
    // Closing has booked nothing: the line can still be accepted.
    await page
      .getByRole('button', { name: /^Accept line of the provider: Not in ledger, Payment paym_3/ })
      .waitFor();
    expect(await page.getByRole('button', { name: /^Close reconciliation break/ }).count()).toBe(0);
  });

  test('an operator can accept the line of a break, but not a break for which nothing was paid', async () => {
    await at.bench.targetFor('close_exception');
    await at.bench.targetFor('accept_line');
    const page = await at.signedIn('operator', '/reconciliation');
    const effect = /^The provider’s line has the amount €19\.99 and the fee €0\.24, .+ €0\.03\. /;
    await repair(page, 'Accept line of the provider', 'Request approval', effect);
    await page.getByText(/^A second person must approve/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    const accept = page.getByRole('button', { name: /^Accept line of the provider: Fee mismatch/ });
    await accept.waitFor();
    await at.approve('accept_line');
    // Only a worker's comparison closes the break.
    expect(await accept.count()).toBe(1);
    await page
      .getByRole('button', { name: /^Close reconciliation break: / })
      .first()
      .waitFor();
  });

  test('a merchant’s page shows each status from the registration until the merchant is available', async () => {
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
    await page
      .getByText('The registration lacks: registration extract, signature')
      .first()
      .waitFor();
    await at.merchantGoes(
      merchantId,
      observed('in_review'),
      observed('validated'),
      observed('available'),
      { type: 'AttachAccount', accountId: newId('acc'), mode: 'test', readAt: now(), at: now() },
    );
    await page.getByText('The merchant accepts orders').first().waitFor();
    await page.locator('#main').getByText('Available', { exact: true }).first().waitFor();
    await page.goBack();
    await cardIn('Available')
      .getByText(/open for orders/)
      .waitFor();
    expect(await page.getByText('signature').count()).toBe(0);
  });

  test('a viewer can open every page, and no page shows the viewer a button that changes data', async () => {
    const { paymentId } = await at.timedOutCapture();
    await at.bench.failedReaction();
    await at.bench.targetFor('close_exception');
    await at.bench.targetFor('accept_line');
    await at.bench.anotherAccount();
    const page = await at.signedIn('viewer');
    const changing =
      /^(Accept|Refresh|Capture|Refund|Settle|Mark|Retry|Discard|Close|Rebuild|Reprocess|Read|New|Create|Use|Disable|Withdraw)/;
    for (const path of [
      `/payments/${paymentId}`,
      '/queues?view=failed',
      '/cases?kind=failed_request',
      '/queues?view=projections',
      '/reconciliation',
      '/webhooks',
      '/approvals',
      '/users',
      '/settings?view=accounts',
      '/settings?view=endpoints',
    ]) {
      await at.go(page, path);
      const found = await page.locator('#main').getByRole('button', { name: changing }).count();
      expect([path, found]).toEqual([path, 0]);
    }
  });

  test('one admin requests a webhook endpoint, another admin approves it, and the console shows its host only', async () => {
    await new ApiKeyStore(at.admin.pool).create('hooked', ['webhooks:write']);
    const page = await at.signedIn('admin', '/settings?view=endpoints');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create webhook endpoint' }).click();
    await dialog.getByText(/the platform reads them with its API key/).waitFor();
    await dialog.getByLabel('Platform').fill('hooked');
    await dialog.getByLabel('URL').fill('http://hooks.example/?token=secret-token');
    await dialog.getByLabel('Event types').fill('Order*, PaymentCaptured');
    await dialog.getByLabel('Reason').fill('the platform requested it');
    const submit = dialog.getByRole('button', { name: 'Request approval' });
    const complained = at.complaints.length;
    await submit.click();
    await dialog.getByText('must begin with https://').first().waitFor();
    at.complaints.splice(complained);
    await hasNoVisualFault(page);
    await dialog.getByLabel('URL').fill('https://hooks.example/?token=secret-token');
    await submit.click();
    await page.getByText(/^A second person must approve/).waitFor();

    const second = await at.signedIn('admin', '/approvals?status=pending');
    await second.getByRole('button', { name: /^Approve: Create webhook endpoint/ }).click();
    const preview = second.getByRole('region', { name: 'Preview' });
    await preview
      .getByText(
        'The platform hooked receives the events Order*, PaymentCaptured of all merchants at ' +
          'hooks.example.',
      )
      .waitFor();
    await hasNoVisualFault(second);
    expect(await second.content()).not.toContain('secret-token');
    await second.getByRole('button', { name: 'Approve and run' }).click();
    await second.getByText('The action is done.').waitFor();
    await at.open(second, '/settings?view=endpoints');
    const row = second.getByRole('row', { name: /hooked/ });
    await row.getByText('hooks.example', { exact: true }).waitFor();
    await row.getByText('Enabled').waitFor();
  });

  test('an operator can disable a provider account, but only an admin can change which account orders use', async () => {
    const { used, waiting } = await at.bench.anotherAccount();
    for (const [role, isFound] of [
      ['operator', 0],
      ['admin', 1],
    ] as const) {
      const page = await at.signedIn(role, '/settings?view=accounts');
      const button = (name: string, id: string) =>
        page.getByRole('button', { name: `${name}: ${id}`, exact: true });
      await button('Withdraw provider account request', waiting).waitFor();
      expect([
        await button('Use provider account for new orders', waiting).count(),
        await button('Disable provider account', used).count(),
      ]).toEqual([isFound, isFound]);
    }
  });
});
