import { Webhook } from 'standardwebhooks';
import type { PublishedEvent } from './events.js';

export { WebhookVerificationError } from 'standardwebhooks';

export interface ReceivedWebhook {
  /** The secret of the endpoint, `whsec_…`. */
  readonly secret: string;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it was received, not parsed. */
  readonly body: string | Uint8Array;
}

/**
 * Verifies the signature and the time of a webhook, and returns its event. Throws
 * `WebhookVerificationError`. An event may be sent more than once: ignore an event whose `id` you
 * have already handled.
 */
export const verifyWebhook = ({ secret, headers, body }: ReceivedWebhook): PublishedEvent => {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const sent = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  return new Webhook(secret).verify(text, sent) as PublishedEvent;
};
