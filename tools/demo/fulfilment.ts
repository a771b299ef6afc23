import { waitFor } from '#testing';
import { type StoryParts, WAIT } from './narration.js';

/**
 * Waits until the fulfilment example, which reads our events from Kafka, shows this status for the
 * order's shipment.
 */
export const shipmentIs = (
  { fulfilmentUrl }: StoryParts,
  orderId: string,
  status: string,
): Promise<boolean> =>
  waitFor(async () => {
    const answer = await fetch(`${fulfilmentUrl}/shipments`);
    const { items } = (await answer.json()) as {
      readonly items: readonly { readonly orderId: string; readonly status: string }[];
    };
    return items.some((one) => one.orderId === orderId && one.status === status);
  }, WAIT);
