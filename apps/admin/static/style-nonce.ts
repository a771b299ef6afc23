import type { ServerResponse } from 'node:http';
import { randomText } from '#kernel';

const NONCE_CHARS = 24;

const nonces = new WeakMap<ServerResponse, string>();

/** Of one answer: its policy takes style elements with this nonce, its page gives it to its script. */
export const styleNonce = (response: ServerResponse): string => {
  const known = nonces.get(response);
  if (known !== undefined) return known;
  const made = randomText(NONCE_CHARS);
  nonces.set(response, made);
  return made;
};
