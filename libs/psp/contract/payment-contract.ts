import { newId } from '#kernel';
import { wholeCapture } from '../port.js';
import type { Arranged } from './arranged.js';
import { CONFLICT, scenesOf } from './scenes.js';

/** Defines the tests of every provider that takes payments. */
export const paymentContract = (arranged: () => Arranged): void => {
  const { payments, create, read, authorized } = scenesOf(arranged);

  describe('an intent', () => {
    test('contains our reference, amount and currency, and is found by the reference', async () => {
      const reference = newId('pay');
      const intent = await create(reference);
      expect(intent).toMatchObject({
        reference,
        amountMinor: 4_250,
        currency: 'eur',
        status: 'open',
        hasAttempt: false,
      });
      expect(await payments().getIntent(intent.intentId)).toEqual(intent);
      expect(await payments().findIntents(reference)).toEqual([intent]);
    });

    test('is created only once for a reference', async () => {
      const reference = newId('pay');
      const { intentId } = await create(reference);
      await expect(create(reference)).rejects.toMatchObject(CONFLICT);
      expect(await payments().findIntents(reference)).toMatchObject([{ intentId }]);
    });

    test('that was never created is not found', async () => {
      expect(await payments().findIntents(newId('pay'))).toEqual([]);
      await expect(payments().getIntent(newId('pi'))).rejects.toMatchObject({
        kind: 'rejected',
        status: 404,
      });
    });

    test('whose creation got no response has an unknown result, and is then found by its reference', async () => {
      const reference = newId('pay');
      await arranged().loseAnswerOfCreation();
      await expect(create(reference)).rejects.toMatchObject({ kind: 'unknown_outcome' });
      expect(await payments().findIntents(reference)).toMatchObject([{ reference }]);
    });

    test('cannot be read with an unknown API key', async () => {
      const { intentId } = await create();
      await expect(arranged().stranger.payments.getIntent(intentId)).rejects.toMatchObject({
        kind: 'unauthorized',
      });
    });

    test('that is paid by card has one attempt, and is authorized', async () => {
      const { intentId, status, hasAttempt } = await authorized();
      expect([status, hasAttempt]).toEqual(['authorized', true]);
      const seen = await read(intentId);
      expect(seen.intent).toMatchObject({ intentId, status: 'authorized', amountMinor: 4_250 });
      expect(seen.attempts).toMatchObject([{ method: 'card', status: 'authorized' }]);
    });

    test('is captured only once, and sent to clearing later', async () => {
      const { intentId } = await authorized();
      const whole = wholeCapture(newId('cap'));
      expect(await payments().captureIntent(intentId, whole)).toMatchObject({
        status: 'to_capture',
      });
      expect(await payments().captureIntent(intentId, whole)).toMatchObject({
        status: 'to_capture',
      });
      await arranged().untilSent();
      const { status } = await payments().getIntent(intentId);
      expect(['capture_sent', 'captured']).toContain(status);
    });

    test('that was not paid cannot be captured', async () => {
      const { intentId } = await create();
      await expect(
        payments().captureIntent(intentId, wholeCapture(newId('cap'))),
      ).rejects.toMatchObject(CONFLICT);
    });
  });
};
