import { waitFor } from '#testing';
import { CARDS } from '../stack/payer.js';
import { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { type StoryParts, WAIT } from './narration.js';
import { orderIs, tryCard } from './pay.js';
import { newReference } from './story.js';

const CAPTURE = 'POST /v2/payment_intents/{id}/capture';

/** Leaves an authorized order, which the platform has to capture. Returns the order's id. */
export const leaveAuthorization = async (
  { apiUrl, apiKey, merchantId }: StoryParts,
  [reference, description, amountMinor]: readonly [string, string, number],
): Promise<string> => {
  const platform = new Platform([apiUrl], apiKey, merchantId);
  const { body } = await platform.place({
    reference: newReference(reference),
    amountMinor,
    description,
    capture: { policy: 'manual' },
  });
  const orderId = String(body['id']);
  await tryCard(platform, orderId, CARDS.plain);
  await orderIs(platform, orderId, 'authorized');
  return orderId;
};

/**
 * Captures the order while the provider fails each capture, until `meanwhile` has ended. The result
 * of the capture is unknown while it is retried, with longer and longer waits.
 */
export const whileCapturesFail = async (
  { apiUrl, apiKey, merchantId, sandboxUrl }: StoryParts,
  orderId: string,
  meanwhile: () => Promise<void>,
): Promise<void> => {
  const sandbox = new Sandbox(sandboxUrl, '');
  const fault = await sandbox.addListedFault({
    route: CAPTURE,
    kind: 'status_500',
    chance: { rate: 1, seed: 'demo' },
  });
  await new Platform([apiUrl], apiKey, merchantId).capture(orderId);
  await waitFor(async () => ((await sandbox.hitsOfFaults()).get(fault) ?? 0) > 0, WAIT);
  await meanwhile();
  await sandbox.clearFaults();
};
