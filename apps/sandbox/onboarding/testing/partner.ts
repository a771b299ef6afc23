import { type Harness, PARTNERS } from '../../testing/harness.js';

export const KEY = PARTNERS[0].testKey;
export const LIVE = PARTNERS[0].liveKey;
export const OTHER = PARTNERS[1].testKey;

/** A response of the onboarding API, loosely typed. */
export interface PartnerReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: never;
}

/**
 * Calls `/api/partners<path>` with JSON. Throws when the response does not match its published
 * schema.
 */
export const ask = async (
  sandbox: Harness,
  method: string,
  path: string,
  body?: unknown,
  key: string = KEY,
): Promise<PartnerReply> => {
  const { body: answered, ...answer } = await sandbox.call(
    method,
    `/api/partners${path}`,
    body,
    key,
  );
  return { ...answer, body: answered as never };
};
