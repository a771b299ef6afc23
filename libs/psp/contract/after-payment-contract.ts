import { newId } from '#kernel';
import type { Capabilities } from '../capabilities.js';
import { wholeCapture } from '../port.js';
import type { Arranged } from './arranged.js';
import { CONFLICT, scenesOf } from './scenes.js';

/**
 * Defines the tests of cancellations, refunds and debits, for the capabilities that the provider
 * has.
 */
export const afterPaymentContract = (
  { cancelableUntil, debits, refunds }: Capabilities,
  arranged: () => Arranged,
): void => {
  const { payments, create, read, authorized, sent } = scenesOf(arranged);

  if (cancelableUntil !== null) {
    describe('a cancellation', () => {
      test.each([
        ['open', create],
        ['authorized', authorized],
      ])('ends an intent with the status %s', async (_status, make) => {
        const { intentId } = await make();
        expect(await payments().cancelIntent(intentId)).toMatchObject({ status: 'canceled' });
        expect(await payments().cancelIntent(intentId)).toMatchObject({ status: 'canceled' });
      });

      test(`is possible up to the status ${cancelableUntil}`, async () => {
        const { intentId } = await authorized();
        await payments().captureIntent(intentId, wholeCapture(newId('cap')));
        const canceled = payments().cancelIntent(intentId);
        if (cancelableUntil === 'to_capture') {
          await expect(canceled).resolves.toMatchObject({ status: 'canceled' });
        } else await expect(canceled).rejects.toMatchObject(CONFLICT);
        const { intentId: late } = await sent();
        await expect(payments().cancelIntent(late)).rejects.toMatchObject(CONFLICT);
      });
    });
  }

  if (refunds) {
    test('each refund request makes a refund, up to the captured amount', async () => {
      const { intentId } = await sent();
      const first = await payments().refundIntent(intentId, 1_000);
      const second = await payments().refundIntent(intentId, 1_000);
      expect(first).toMatchObject({ amountMinor: 1_000, currency: 'eur', status: 'to_refund' });
      expect((await read(intentId)).refunds?.map(({ refundId }) => refundId).toSorted()).toEqual(
        [first.refundId, second.refundId].toSorted(),
      );
      await expect(payments().refundIntent(intentId, 2_251)).rejects.toMatchObject({
        kind: 'rejected',
      });
    });

    test('a refund of an amount that was not captured is rejected', async () => {
      const { intentId } = await authorized();
      await expect(payments().refundIntent(intentId, 1)).rejects.toMatchObject(CONFLICT);
    });
  }

  if (debits) {
    test('a signed mandate is debited without the payer being present', async () => {
      const { intentId, pageUrl } = await create();
      await arranged().signMandate(pageUrl);
      const [signed] = (await read(intentId)).attempts ?? [];
      expect(signed).toMatchObject({ method: 'sepa', mandateId: expect.any(String) });
      const next = await create();
      await payments().debitMandate(next.intentId, signed?.mandateId ?? '');
      const seen = await read(next.intentId);
      expect(seen.intent.status).toBe('processing');
      expect(seen.attempts).toMatchObject([{ mandateId: signed?.mandateId }]);
    });
  }
};
