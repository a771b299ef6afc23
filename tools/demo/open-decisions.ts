import { waitFor } from '#testing';
import type { Platform } from '../stack/platform.js';
import { WAIT } from './narration.js';

/** A port on which no program listens. */
const DEAD_URL = 'http://localhost:9/webhooks';

/**
 * Creates a webhook endpoint that does not respond, which a test shows at once; the events that
 * follow fail, too.
 */
export const leaveFailingEndpoint = async (platform: Platform): Promise<void> => {
  const { body } = await platform.surely('POST', '/v1/webhook-endpoints', {
    url: DEAD_URL,
    eventTypes: ['Order*'],
  });
  await platform.surely('POST', `/v1/webhook-endpoints/${String(body['id'])}/test`);
};

/** Requests that the break of the payment which only the provider knows is closed. */
export const requestClosing = async (platform: Platform): Promise<void> => {
  const id = await waitFor(async () => {
    const { body } = await platform.surely(
      'GET',
      '/v1/reconciliation/exceptions?status=open&kind=unknown&limit=1',
    );
    const [found] = body['items'] as readonly { readonly id: string }[];
    return found?.id ?? null;
  }, WAIT);
  await platform.surely('POST', `/v1/reconciliation/exceptions/${id}/close`, {
    reason: 'Sold at the counter: this payment is not from the shop',
  });
};
