import { newId } from '#kernel';
import { wholeCapture } from '../port.js';
import { type Arranged, intentOf } from './arranged.js';

export const payoutContract = (arranged: () => Arranged): void => {
  test('a captured payment is in the list of payments and then in a line of a payout, with the id of our payment', async () => {
    const {
      client: { payments, payouts },
      payByCard,
      untilSent,
      untilPaidOut,
    } = arranged();
    const reference = newId('pay');
    const { intentId, pageUrl } = await payments.createIntent(intentOf(reference));
    await payByCard(pageUrl);
    await payments.captureIntent(intentId, wholeCapture(newId('cap')));
    await untilSent();
    const { items } = await payouts.listPayments({ createdSince: 0, start: 0 });
    const listed = items.find((one) => one.reference === reference);
    expect(listed).toMatchObject({
      intentId,
      amountMinor: 4_250,
      currency: 'eur',
      method: 'card',
      reached: expect.stringMatching(/^capture_sent$|^captured$/),
    });
    const attemptId = listed?.attemptId ?? '';
    expect(await payouts.getPayment(attemptId)).toEqual(listed);
    await untilPaidOut();
    for (const { payoutId } of (await payouts.listPayouts({ createdSince: 0, start: 0 })).items) {
      const lines = (await payouts.payoutPayments(payoutId, 0)).items;
      const ours = lines.find((one) => one.attemptId === attemptId);
      if (ours === undefined) continue;
      expect(ours).toMatchObject({ reference, amountMinor: 4_250, reached: 'captured' });
      const payout = await payouts.getPayout(payoutId);
      const { count, amountMinor } = payout.totals.payment.card;
      expect(count).toBe(lines.filter(({ method }) => method === 'card').length);
      expect(amountMinor).toBeGreaterThanOrEqual(4_250);
      return;
    }
    throw new Error('no payout has the payment');
  });
};
