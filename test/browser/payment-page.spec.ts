import type { Page } from 'playwright-core';
import { instantFromMs, newId } from '#kernel';
import { type PaymentCommand, paymentAggregate } from '#payment';
import { hasBrowser } from '#testing';
import { violationsInBoth } from '../../tools/infra/axe.mjs';
import { ConsoleFixture } from './support/console.js';
import { overflowOf } from './support/layout.js';

const now = () => instantFromMs(Date.now());

const LANGUAGES = [
  {
    language: 'en',
    amount: '€12.50',
    method: 'Visa •••• 0012',
    secure: '3-D Secure succeeded',
    declined: 'Declined: Insufficient funds (51)',
    money: 'Money',
    strip: [
      'Authorized€12.50',
      'Captured€12.50',
      'Refunded€0.00',
      'Charged back€0.00',
      'Fees-€15.16',
      'Net-€2.66before VAT',
      /^PayoutPaidMar 3/,
    ],
    pending: 'Pending',
    refundQueued: /The refund of €3.00 is requested after clearing, about .*\d\d:\d\d/,
    explain: 'Explain this payment',
    explained:
      /^Payment pay_\w+ of €12.50, created on .+\. It pays the order \w+ of the merchant m1\. Its status is: Captured\. The payer used Visa •••• 0012, France, 3-D Secure succeeded\. Captured: €12.50\.$/,
    refunds: 'Refunds',
    refundCard: /€3.00.*Queued until clearing.*Reference R-7/s,
    disputes: 'Disputes',
    disputeCard: /€12.50.*Won.*Chargeback · Transaction disputed \(45\)/s,
    state: 'State',
    row: 'Refund 1: Amount €3.00',
    raw: 'All fields',
    onPayment: 'The dispute was won: €12.50 are returned, the fee is retained',
    onOrder: 'The dispute was won: the chargeback of €12.50 is reversed',
    asOf: /^As of .+ — event 3 of \d+$/,
    back: 'Back to the present',
    earlier: 'Authorized',
    earlierStrip: ['Captured€0.00', 'Fees–'],
    chargedBack: /^Charged back €[\d.]+$/,
    onLine: 'Dispute won',
  },
  {
    language: 'fr',
    amount: '12,50 €',
    method: 'Visa •••• 0012',
    secure: '3-D Secure réussi',
    declined: 'Refusé : Provision insuffisante (51)',
    money: 'Montants',
    strip: [
      'Autorisé12,50 €',
      'Capturé12,50 €',
      'Remboursé0,00 €',
      'Impayés0,00 €',
      'Frais-15,16 €',
      'Net-2,66 €avant TVA sur les frais',
      /^VersementVersé3 mars/,
    ],
    pending: 'En attente',
    refundQueued:
      /Le remboursement de 3,00 € sera demandé après la compensation, vers le .*\d\d:\d\d/,
    explain: 'Expliquer ce paiement',
    explained:
      /^Paiement pay_\w+ de 12,50 €, créé le .+\. Il règle la commande \w+ du marchand m1\. Son statut est : Capturé\. Moyen de paiement utilisé : Visa •••• 0012, France, 3-D Secure réussi\. Capturé : 12,50 €\.$/,
    refunds: 'Remboursements',
    refundCard: /3,00 €.*Programmé après la compensation du paiement.*Référence R-7/s,
    disputes: 'Contestations',
    disputeCard: /12,50 €.*Gagnée.*Impayé carte · Transaction contestée \(45\)/s,
    state: 'État',
    row: 'Remboursement 1 : Montant 3,00 €',
    raw: 'Tous les champs',
    onPayment: 'Contestation gagnée : 12,50 € sont restitués, les frais sont retenus',
    onOrder: 'Contestation gagnée : l’impayé de 12,50 € est annulé',
    asOf: /^Au .+ — événement 3 sur \d+$/,
    back: 'Revenir au présent',
    earlier: 'Autorisé',
    earlierStrip: ['Capturé0,00 €', 'Frais–'],
    chargedBack: /^Impayés \d/,
    onLine: 'Contestation gagnée',
  },
] as const;

/** The layout is checked in one language only: in French, whose texts are longer. */
const hasNoVisualFault = async (page: Page, language: string): Promise<void> => {
  if (language === 'fr') expect(await violationsInBoth(page)).toEqual([]);
};

/** The text with plain spaces, because French amounts contain narrow no-break spaces. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ').trim();

(hasBrowser() ? describe : describe.skip)('a payment in the console', () => {
  let at: ConsoleFixture;
  let page: Page;
  let orderId: string;
  /** A captured payment, whose dispute was won. */
  let paymentId: string;
  /** A payment whose capture is accepted, with a refund that waits for clearing. */
  let refundedId: string;

  const execute = (id: string, command: PaymentCommand): Promise<unknown> =>
    at.admin.store.execute(paymentAggregate, id, command, {
      // The order's workflow is found by this id.
      correlationId: orderId,
      causationId: 'spec',
      actor: 'provider',
      traceparent: null,
    });

  const observe = (id: string, status: string, disputes: readonly object[] | null) =>
    execute(id, {
      type: 'ObservePayment',
      paymentId: id,
      at: now(),
      observation: {
        intent: {
          intentId: String(at.provider.intent?.['id']),
          reference: id,
          pageUrl: 'https://pay.test/p',
          status,
          amountMinor: 1_250,
          currency: 'eur',
        },
        attempts: null,
        refunds: null,
        disputes,
      } as never,
    });

  /** Writes the ledger entries and the payout of the payment as a worker would. */
  const pay = async (disputeId: string): Promise<void> => {
    const { pool } = at.admin;
    const { rows } = await pool.query<{ id: string }>(
      `SELECT data->>'accountId' AS id FROM events WHERE stream_id = $1 AND version = 1`,
      [paymentId],
    );
    const accountId = rows[0]?.id;
    await pool.query(
      `INSERT INTO ledger_journal
       SELECT gen_random_uuid(), kind, object, $1, $2, 'shop', 'eur', 1250, payer, provider, 0,
              fees, 0, disputes, now()
         FROM (VALUES ('payment', $1, -1250, 1234, 16, 0),
                      ('dispute', $3, 0, -2750, 1500, 1250),
                      ('dispute_reversal', $3, 0, 1250, 0, -1250))
           AS booked(kind, object, payer, provider, fees, disputes)`,
      [paymentId, accountId, disputeId],
    );
    await pool.query(
      `INSERT INTO payout_list (payout_id, account_id, platform_id, merchant_id, mode, reference,
         currency, amount_minor, fees_minor, fees_vat_minor, date, status, totals, lines_read,
         mismatches, version)
       VALUES ('pout_1', $1, 'shop', 'm1', 'test', 'R', 'eur', 1234, 16, 3,
               make_date(extract(year FROM now())::int, 3, 3), 'paid', '{}', true, 0, 1)`,
      [accountId],
    );
    await pool.query(
      `INSERT INTO payout_lines SELECT 'pout_1', 'payment', 'paym_1', $2, 'paym_1', $1, $1, 'card',
              'eur', 1250, 16`,
      [paymentId, accountId],
    );
  };

  beforeAll(async () => {
    at = await ConsoleFixture.start();
    ({ orderId, paymentId: refundedId } = await at.bench.payment('authorized'));
    const by = 'platform';
    await execute(refundedId, { type: 'RequestCapture', captureId: 'cap_1', by, at: now() });
    await observe(refundedId, 'to_capture', null);
    await execute(refundedId, {
      type: 'RequestRefund',
      requestId: newId('rfr'),
      amountMinor: 300,
      reference: 'R-7',
      reason: null,
      at: now(),
    });
    ({ orderId, paymentId } = await at.bench.payment('captured'));
    const disputeId = newId('dspt');
    await observe(paymentId, 'captured', [
      {
        disputeId,
        kind: 'chargeback',
        amountMinor: 1_250,
        currency: 'eur',
        feeMinor: 1_500,
        reasonCode: '45',
        status: 'won',
        createdAt: now(),
      },
    ]);
    await pay(disputeId);
    page = await at.signedIn('viewer');
  });
  afterAll(() => at.stop());

  describe.each(LANGUAGES)('in the language $language', (words) => {
    beforeAll(() => page.evaluate(`localStorage.setItem("console-language", "${words.language}")`));

    const textOf = async (name: string): Promise<string> =>
      plain(await page.getByRole('region', { name }).innerText());

    test('the header names the amount, the card, the outcome of 3-D Secure and the merchant', async () => {
      await at.open(page, `/payments/${paymentId}`);
      expect(plain(await page.getByRole('heading', { level: 1 }).innerText())).toBe(words.amount);
      await page.getByText(words.method, { exact: true }).waitFor();
      await page.getByText('France', { exact: true }).waitFor();
      await page.getByText(words.secure, { exact: true }).waitFor();
      await page.locator('#main').getByText('m1', { exact: true }).first().waitFor();
    });

    test('the money strip leads from the authorization to the payout', async () => {
      await page.getByRole('region', { name: words.money }).getByText('15').first().waitFor();
      const items = page.getByRole('region', { name: words.money }).getByRole('listitem');
      const texts = (await items.allTextContents()).map(plain);
      expect(texts).toEqual(
        words.strip.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
      );
      expect(await textOf(words.disputes)).toMatch(words.disputeCard);
    });

    test('one paragraph explains the payment', async () => {
      await page.getByRole('button', { name: words.explain }).click();
      const paragraph = page.getByRole('paragraph').filter({ hasText: paymentId });
      expect(plain(await paragraph.innerText())).toMatch(words.explained);
      await hasNoVisualFault(page, words.language);
    });

    test('a queued refund has a card, and the pending work states in a sentence when the refund is requested', async () => {
      await at.go(page, `/payments/${refundedId}`);
      expect(await textOf(words.refunds)).toMatch(words.refundCard);
      expect(await textOf(words.pending)).toMatch(words.refundQueued);
      await hasNoVisualFault(page, words.language);
      if (words.language === 'en') return;
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await overflowOf(page)).toBe(0);
      await page.setViewportSize({ width: 1_280, height: 800 });
    });

    test('the state is shown with labels, and its field names only in the raw state', async () => {
      const state = page.getByRole('region', { name: words.state, exact: true });
      await state.getByRole('row', { name: words.row }).waitFor();
      expect(await page.locator('#main').innerText()).not.toMatch(/terms\.|amountMinor/);
      await state.getByRole('button', { name: words.raw }).click();
      await state.getByRole('row', { name: /^terms\.\s?amountMinor/ }).waitFor();
    });

    test('a declined payment states the reason of the bank with its code', async () => {
      const { paymentId: declinedId } = await at.bench.payment('open');
      await at.go(page, `/payments/${declinedId}`);
      await page.getByText(words.declined, { exact: true }).waitFor();
      await page.getByText(words.method, { exact: true }).waitFor();
    });

    test('at an earlier time the header, the money strip and the cards show that time, under a banner', async () => {
      await at.open(page, `/payments/${paymentId}?version=3`);
      await page.getByRole('status').filter({ hasText: words.asOf }).waitFor();
      const header = page.locator('#main h1 + *');
      expect(await header.innerText()).toBe(words.earlier);
      const strip = page.getByRole('region', { name: words.money }).getByRole('listitem');
      const texts = (await strip.allTextContents()).map(plain);
      expect(texts).toEqual(expect.arrayContaining([...words.earlierStrip]));
      expect(await page.getByRole('region', { name: words.disputes }).count()).toBe(0);
      await hasNoVisualFault(page, words.language);
      await page.getByRole('button', { name: words.back }).click();
      await page.getByRole('region', { name: words.disputes }).waitFor();
    });

    test('the payment’s page shows that the dispute was won', async () => {
      await at.open(page, `/payments/${paymentId}`);
      await page.getByText(words.onPayment).first().waitFor();
    });

    test('the order’s header no longer shows a chargeback', async () => {
      await at.go(page, `/orders/${orderId}`);
      await page.getByText(words.onOrder).first().waitFor();
      expect(await page.getByText(words.chargedBack).count()).toBe(0);
      await hasNoVisualFault(page, words.language);
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
