import { newId } from '#kernel';
import type { Capabilities } from '../capabilities.js';
import type { NewCapture } from '../port.js';
import type { Arranged } from './arranged.js';
import { CONFLICT, scenesOf } from './scenes.js';

/** Of a provider that captures less than the whole, and perhaps several times. */
export const captureContract = (
  { multipleCapture }: Capabilities,
  arranged: () => Arranged,
): void => {
  const { payments, authorized } = scenesOf(arranged);
  const part = (amountMinor: number, isFinal = false): NewCapture => ({
    reference: newId('cap'),
    amountMinor,
    isFinal,
  });

  test('a final capture of a part closes the authorization, and is shown with our id', async () => {
    const { intentId } = await authorized();
    const wanted = part(1_000, true);
    expect(await payments().captureIntent(intentId, wanted)).toMatchObject({
      status: 'to_capture',
      captures: [{ reference: wanted.reference, amountMinor: 1_000, status: 'accepted' }],
    });
    await expect(payments().captureIntent(intentId, part(1))).rejects.toMatchObject(CONFLICT);
  });

  test('a capture that is sent again is one', async () => {
    const { intentId } = await authorized();
    const wanted = part(1_000, !multipleCapture);
    const { captures } = await payments().captureIntent(intentId, wanted);
    expect(await payments().captureIntent(intentId, wanted)).toMatchObject({ captures });
    expect(captures).toHaveLength(1);
  });

  test('more than was authorized is not captured', async () => {
    const { intentId } = await authorized();
    await expect(payments().captureIntent(intentId, part(4_251))).rejects.toMatchObject({
      kind: 'rejected',
    });
  });

  if (multipleCapture) {
    test('an authorization is captured several times, up to what was authorized', async () => {
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
