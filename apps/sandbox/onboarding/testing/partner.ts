import { basic, checkedJson, type Harness, PARTNERS } from '../../testing/harness.js';

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
  const response = await fetch(`${sandbox.url}/api/partners${path}`, {
    method,
    headers: {
      authorization: basic(key),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = await checkedJson(response, { method, path: `/api/partners${path}`, sent: body });
  return { status: response.status, headers: response.headers, body: (json ?? null) as never };
};
