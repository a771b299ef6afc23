import type { Page } from 'playwright-core';
import { hasBrowser } from '#testing';
import { violationsInBoth } from '../../tools/infra/axe.mjs';
import { ConsoleFixture } from './support/console.js';

/** The time limit of a test. It is longer than usual, because several people act in turn. */
const TIMEOUT_MS = 240_000;

const REASON = 'the provider shows no refund';

(hasBrowser() ? describe : describe.skip)('the repair of a refund whose request was lost', () => {
  let at: ConsoleFixture;

  beforeAll(async () => {
    at = await ConsoleFixture.start();
  });
  afterAll(() => at.stop());

  /** Requests a repair that a second person must approve. */
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
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('region', { name: 'Preview' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    await page.getByText(/^A second person must approve/).waitFor();
  };

  /** Approves the request as another operator. */
  const approve = async (kind: string): Promise<Page> => {
    const page = await at.signedIn('operator', '/approvals?status=pending');
    await page
      .getByRole('button', { name: new RegExp(`^Approve: ${kind} `) })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('region', { name: 'Preview' }).waitFor();
    await dialog.getByRole('button', { name: 'Approve and run' }).click();
    await dialog.getByRole('status').waitFor();
    return page;
  };

  const isOpen = (page: Page) => page.getByText('The payer has not been refunded €5.00.');

  test(
    'a refund that the provider never executed needs attention until it is requested again and succeeds',
    async () => {
      const { paymentId } = await at.lostRefund();
      const first = await at.signedIn('operator', `/payments/${paymentId}`);
      await first
        .getByRole('button', { name: /^Resolve unknown result: / })
        .first()
        .click();
      await first
        .getByRole('dialog')
        .getByText(/^This action moves no money/)
        .waitFor();
      await first.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
      await ask(first, 'Resolve unknown result');
      const page = await approve('Resolve unknown result');
      const dialog = page.getByRole('dialog');
      await dialog
        .getByText('The refund is recorded as not executed: the payer has not been refunded.')
        .waitFor();
      expect(await dialog.getByText('The action is done.').count()).toBe(0);
      expect(await violationsInBoth(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Reissue refund' }).click();
      await page.getByRole('dialog', { name: /^Reissue refund: / }).waitFor();
      await confirm(page);
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await at.projectPayments();
      await at.go(page, '/');
      await page.getByRole('link', { name: /^1 Refunds not paid to their payers/ }).click();
      await page
        .getByRole('row', { name: /Not made by the provider/ })
        .getByRole('link', { name: paymentId })
        .click();
      await isOpen(page).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);

      await at.approve('reissue_refund');
      await page
        .getByText(/^Requested the refund of .+ from the provider again/)
        .first()
        .waitFor();
      await isOpen(page).waitFor({ state: 'detached' });
      await at.projectPayments();
      const { rows } = await at.admin.pool.query(
        `SELECT FROM payment_list WHERE rejected_refunds <> '{}'`,
      );
      expect(rows).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a refund that the provider never executed needs attention until two people abandon it with a reason',
    async () => {
      const { subjectId: paymentId } = await at.bench.rejectedRefund();
      const page = await at.signedIn('operator', `/payments/${paymentId}`);
      await isOpen(page).waitFor();
      await page.locator('#main').getByText('Refund failed', { exact: true }).first().waitFor();
      await ask(page, 'Abandon refund');
      const third = await approve('Abandon refund');
      await at.go(third, `/payments/${paymentId}`);
      await third
        .getByText(/^Abandoned the refund of /)
        .first()
        .waitFor();
      await third.getByText(REASON).first().waitFor();
      expect(await isOpen(third).count()).toBe(0);
    },
    TIMEOUT_MS,
  );
});
