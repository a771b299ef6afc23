import type { Page } from 'playwright-core';
import { hasBrowser } from '#testing';
import { ConsoleFixture, violationsInBoth } from './support/console.js';

/** Three people, one after another: each wait has a bound of its own. */
const TIMEOUT_MS = 240_000;

const REASON = 'the provider shows no refund';

(hasBrowser() ? describe : describe.skip)('the repair of a refund that was lost', () => {
  let at: ConsoleFixture;

  beforeAll(async () => {
    at = await ConsoleFixture.start();
  });
  afterAll(() => at.stop());

  /** Asks for a repair that two people decide on. */
  const ask = async (page: Page, kind: string): Promise<void> => {
    await page
      .getByRole('button', { name: new RegExp(`^${kind}: `) })
      .first()
      .click();
    await confirm(page);
  };

  const confirm = async (page: Page): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByRole('button', { name: 'See what would happen' }).click();
    await dialog.getByRole('region', { name: 'What would happen' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Ask for approval' }).click();
    await page.getByText('Nothing is done yet.').waitFor();
  };

  const approve = async (page: Page, kind: string): Promise<void> => {
    await at.open(page, '/approvals?status=pending');
    await page
      .getByRole('button', { name: new RegExp(`^Approve: ${kind} `) })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('region', { name: 'What would happen' }).waitFor();
    await dialog.getByRole('button', { name: 'Approve, and do it' }).click();
    await dialog.getByRole('status').waitFor();
  };

  const isOpen = (page: Page) => page.getByText('The payer has not been refunded €5.00.');

  const settled = async (): Promise<{ readonly page: Page; readonly paymentId: string }> => {
    const { paymentId } = await at.lostRefund();
    const first = await at.signedIn('operator', `/payments/${paymentId}`);
    await first
      .getByRole('button', { name: /^Settle the call: / })
      .first()
      .click();
    await first
      .getByRole('dialog')
      .getByText(/^It moves no money/)
      .waitFor();
    await first.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await ask(first, 'Settle the call');
    await first.close();
    const page = await at.signedIn('operator', '/approvals');
    await approve(page, 'Settle the call');
    await page
      .getByRole('dialog')
      .getByText('The refund is recorded as not sent. The payer has not been refunded.')
      .waitFor();
    expect(await page.getByRole('dialog').getByText('It is done.').count()).toBe(0);
    expect(await violationsInBoth(page)).toEqual([]);
    return { page, paymentId };
  };

  test(
    'names the outcome, leads to the next refund, and is open until that is made',
    async () => {
      const { page, paymentId } = await settled();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: 'Issue the refund again' })
        .click();
      await page.getByRole('dialog', { name: /^Issue the refund again: / }).waitFor();
      await confirm(page);
      await at.projectPayments();
      await at.open(page, '/');
      await page.getByRole('link', { name: /^1 Refunds not made/ }).click();
      await page
        .getByRole('row', { name: /Refund not made/ })
        .getByRole('link', { name: paymentId })
        .click();
      await isOpen(page).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await page.close();

      const third = await at.signedIn('operator', '/approvals');
      await approve(third, 'Issue the refund again');
      await at.open(third, `/payments/${paymentId}`);
      await third.getByText('RefundRequested').nth(1).waitFor();
      expect(await isOpen(third).count()).toBe(0);
      await third.close();
      await at.projectPayments();
      const { rows } = await at.admin.pool.query(
        `SELECT FROM payment_list WHERE unmade_refunds <> '{}'`,
      );
      expect(rows).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'is open until two people have given it up with a reason',
    async () => {
      const { page, paymentId } = await settled();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await at.open(page, `/payments/${paymentId}`);
      await isOpen(page).waitFor();
      await page.locator('#main').getByText('Refund not made', { exact: true }).first().waitFor();
      await ask(page, 'Give up the refund');
      await page.close();
      const third = await at.signedIn('operator', '/approvals');
      await approve(third, 'Give up the refund');
      await at.open(third, `/payments/${paymentId}`);
      await third.getByText('RefundGivenUp').first().waitFor();
      await third.getByText(REASON).first().waitFor();
      expect(await isOpen(third).count()).toBe(0);
      await third.close();
    },
    TIMEOUT_MS,
  );
});
