import { Webhook } from 'standardwebhooks';

/** The headers of a signed message. */
export interface SignedHeaders {
  /** The event's id, the same in every attempt. */
  readonly 'webhook-id': string;
  /** The time of the attempt, in seconds since 1970. */
  readonly 'webhook-timestamp': string;
  /** One signature for each valid secret, separated by spaces. */
  readonly 'webhook-signature': string;
}

/** Signs a message as Standard Webhooks define it. `wallMs`: real time, in milliseconds. */
export const signedHeaders = (
  id: string,
  body: string,
  secrets: readonly string[],
  wallMs: number,
): SignedHeaders => {
  const at = new Date(wallMs);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(wallMs / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
};
