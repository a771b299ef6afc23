import { newId } from '#kernel';
import type { Capabilities } from '../capabilities.js';
import type { NewCapture } from '../port.js';
import type { Arranged } from './arranged.js';
import { CONFLICT, scenesOf } from './scenes.js';

/**
 * Defines the tests of a provider with partial captures and, if it has the capability, several
 * captures.
 */
export const captureContract = (
  { multipleCapture, debits }: Capabilities,
  arranged: () => Arranged,
): void => {
  const { payments, create, authorized } = scenesOf(arranged);
  const part = (amountMinor: number, isFinal = false): NewCapture => ({
    reference: newId('cap'),
    amountMinor,
    isFinal,
  });

  test('a final partial capture closes the authorization, and has our capture id as its reference', async () => {
    const { intentId } = await authorized();
    const wanted = part(1_000, true);
    expect(await payments().captureIntent(intentId, wanted)).toMatchObject({
      status: 'to_capture',
      captures: [{ reference: wanted.reference, amountMinor: 1_000, status: 'accepted' }],
    });
    await expect(payments().captureIntent(intentId, part(1))).rejects.toMatchObject(CONFLICT);
  });

  test('a repeated capture request with the same reference makes one capture', async () => {
    const { intentId } = await authorized();
    const wanted = part(1_000, !multipleCapture);
    const { captures } = await payments().captureIntent(intentId, wanted);
    expect(await payments().captureIntent(intentId, wanted)).toMatchObject({ captures });
    expect(captures).toHaveLength(1);
  });

  test('a capture of more than the authorized amount is rejected', async () => {
    const { intentId } = await authorized();
    await expect(payments().captureIntent(intentId, part(4_251))).rejects.toMatchObject({
      kind: 'rejected',
    });
  });

  if (debits) {
    test('a direct debit is captured as a whole, without a capture request', async () => {
      const { intentId, pageUrl } = await create();
      await arranged().signMandate(pageUrl);
      expect(await payments().getIntent(intentId)).toMatchObject({ status: 'processing' });
      await expect(payments().captureIntent(intentId, part(1_000))).rejects.toMatchObject(CONFLICT);
      await arranged().untilSent();
      const { status } = await payments().getIntent(intentId);
      expect(['capture_sent', 'captured']).toContain(status);
    });
  }

  if (multipleCapture) {
    test('an authorization can be captured several times, up to its amount', async () => {
      const { intentId } = await authorized();
      expect(await payments().captureIntent(intentId, part(1_000))).toMatchObject({
        status: 'authorized',
        captures: [{ amountMinor: 1_000 }],
      });
      await expect(payments().captureIntent(intentId, part(3_251))).rejects.toMatchObject({
        kind: 'rejected',
      });
      const { captures, status } = await payments().captureIntent(intentId, part(3_250));
      expect(status).toBe('to_capture');
      expect(captures).toMatchObject([{ amountMinor: 1_000 }, { amountMinor: 3_250 }]);
      expect(new Set(captures?.map(({ captureId }) => captureId)).size).toBe(2);
    });
  }
};
