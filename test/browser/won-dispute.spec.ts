import type { Page } from 'playwright-core';
import { instantFromMs, newId } from '#kernel';
import { paymentAggregate } from '#payment';
import { hasBrowser } from '#testing';
import { ConsoleFixture, violationsInBoth } from './support/console.js';

(hasBrowser() ? describe : describe.skip)('a dispute that is won, in the console', () => {
  let at: ConsoleFixture;
  let page: Page;
  let orderId: string;
  let paymentId: string;

  beforeAll(async () => {
    at = await ConsoleFixture.start();
    ({ orderId, paymentId } = await at.bench.payment('captured'));
    const now = instantFromMs(Date.now());
    await at.admin.store.execute(
      paymentAggregate,
      paymentId,
      {
        type: 'ObservePayment',
        paymentId,
        at: now,
        observation: {
          intent: {
            intentId: String(at.provider.intent?.['id']),
            reference: paymentId,
            pageUrl: 'https://pay.test/p',
            status: 'captured',
            amountMinor: 1_250,
            currency: 'eur',
          },
          attempts: null,
          refunds: null,
          disputes: [
            {
              disputeId: newId('dspt'),
              kind: 'chargeback',
              amountMinor: 1_250,
              currency: 'eur',
              feeMinor: 1_500,
              reasonCode: '45',
              status: 'won',
              createdAt: now,
            },
          ],
        },
      },
      { correlationId: orderId, causationId: 'spec', actor: 'provider', traceparent: null },
    );
    page = await at.signedIn('viewer');
  }, 240_000);
  afterAll(() => at.stop());

  const inLanguage = async (language: 'en' | 'fr', path: string): Promise<void> => {
    await page.evaluate(`localStorage.setItem("console-language", "${language}")`);
    await at.open(page, path);
    await page.reload();
  };

  test.each([
    ['en', 'Dispute won: amount returned, fee retained'],
    ['fr', 'Contestation gagnée : montant restitué, frais retenus'],
  ] as const)(
    'the payment’s page shows the result of the dispute (%s)',
    async (language, words) => {
      await inLanguage(language, `/payments/${paymentId}`);
      await page.getByText(words).first().waitFor();
    },
    240_000,
  );

  test.each([
    ['en', 'Dispute won: amount returned to the order', /^Charged back €/],
    ['fr', 'Contestation gagnée : montant restitué à la commande', /^Impayé \d/],
  ] as const)(
    'the order’s header no longer shows a chargeback (%s)',
    async (language, words, chargedBack) => {
      await inLanguage(language, `/orders/${orderId}`);
      await page.getByText(words).first().waitFor();
      expect(await page.getByText(chargedBack).count()).toBe(0);
      expect(await violationsInBoth(page)).toEqual([]);
    },
    240_000,
  );

  test.each([
    ['en', 'Dispute won'],
    ['fr', 'Contestation gagnée'],
  ] as const)(
    'the payout line that returns the amount is labelled (%s)',
    async (language, words) => {
      const { payoutId } = await at.paidOut(language === 'en' ? '2026-03-03' : '2026-03-04');
      await at.admin.pool.query(
        `INSERT INTO payout_lines (payout_id, kind, object_id, account_id, provider_payment_id,
                                   journal_id, currency, amount_minor, fee_minor)
         VALUES ($1, 'dispute_reversal', 'dspt_1', 'acc_1', 'paym_1', 'dspt_1', 'eur', 500, 0)`,
        [payoutId],
      );
      await inLanguage(language, `/payouts/${payoutId}`);
      await page.getByRole('row', { name: new RegExp(`${words} dspt_1`) }).waitFor();
    },
    240_000,
  );
});
