import { waitFor } from '#testing';
import type { Platform } from '../stack/platform.js';
import { WAIT } from './narration.js';

const DEAD_URL = 'http://localhost:9/webhooks';

/**
 * Creates a webhook endpoint that does not respond. The endpoint's test fails immediately, and all
 * later events fail, too.
 */
export const leaveFailingEndpoint = async (platform: Platform): Promise<void> => {
  const { body } = await platform.surely('POST', '/v1/webhook-endpoints', {
    url: DEAD_URL,
    eventTypes: ['Order*'],
  });
  await platform.surely('POST', `/v1/webhook-endpoints/${String(body['id'])}/test`);
};

/** Requests the closing of the reconciliation break for a payment that only the provider knows. */
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
