import type { ServerResponse } from 'node:http';
import { randomText } from '#kernel';

const NONCE_CHARS = 24;

const nonces = new WeakMap<ServerResponse, string>();

/**
 * The nonce of a response. The response's security policy allows the nonce, and the page passes the
 * nonce to its script.
 */
export const styleNonce = (response: ServerResponse): string => {
  const known = nonces.get(response);
  if (known !== undefined) return known;
  const made = randomText(NONCE_CHARS);
  nonces.set(response, made);
  return made;
};
