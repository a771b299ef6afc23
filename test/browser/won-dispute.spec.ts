import type { Page } from 'playwright-core';
import { instantFromMs, newId } from '#kernel';
import { paymentAggregate } from '#payment';
import { hasBrowser } from '#testing';
import { violationsInBoth } from '../../tools/infra/axe.mjs';
import { ConsoleFixture } from './support/console.js';

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
  });
  afterAll(() => at.stop());

  describe.each([
    {
      language: 'en',
      onPayment: 'Dispute won: amount returned, fee retained',
      onOrder: 'Dispute won: chargeback of the order reversed',
      chargedBack: /^Charged back €/,
      onLine: 'Dispute won',
    },
    {
      language: 'fr',
      onPayment: 'Contestation gagnée : montant restitué, frais retenus',
      onOrder: 'Contestation gagnée : impayé de la commande annulé',
      chargedBack: /^Impayé \d/,
      onLine: 'Contestation gagnée',
    },
  ] as const)('in the language $language', (words) => {
    beforeAll(() => page.evaluate(`localStorage.setItem("console-language", "${words.language}")`));

    test('the payment’s page shows that the dispute was won', async () => {
      await at.open(page, `/payments/${paymentId}`);
      await page.getByText(words.onPayment).first().waitFor();
    });

    test('the order’s header no longer shows a chargeback', async () => {
      await at.go(page, `/orders/${orderId}`);
      await page.getByText(words.onOrder).first().waitFor();
      expect(await page.getByText(words.chargedBack).count()).toBe(0);
      expect(await violationsInBoth(page)).toEqual([]);
    });

    test('the payout line that returns the amount is labelled as a won dispute', async () => {
      const day = words.language === 'en' ? '2026-03-03' : '2026-03-04';
      const { payoutId } = await at.paidOut(day);
      await at.admin.pool.query(
        `INSERT INTO payout_lines (payout_id, kind, object_id, account_id, provider_payment_id,
                                   journal_id, currency, amount_minor, fee_minor)
         VALUES ($1, 'dispute_reversal', 'dspt_1', 'acc_1', 'paym_1', 'dspt_1', 'eur', 500, 0)`,
        [payoutId],
      );
      await at.go(page, `/payouts/${payoutId}`);
      await page.getByRole('row', { name: new RegExp(`${words.onLine} dspt_1`) }).waitFor();
    });
  });
});
