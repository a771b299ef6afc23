import type { FastifyReply, FastifyRequest } from 'fastify';
import { KNOWN_DAYS } from './known-browsers.js';

/** Where the console is for its users, e.g. `https://console.example`; exactly as browsers say it. */
export interface ConsoleOrigin {
  readonly origin: string;
}

const isSecure = ({ origin }: ConsoleOrigin): boolean => origin.startsWith('https:');

type CookieName = 'session' | 'device';

/** With TLS a name that browsers bind to this host, and give no other host the right to set. */
const nameOf = (name: CookieName, at: ConsoleOrigin): string =>
  isSecure(at) ? `__Host-${name}` : name;

const valueIn = (
  { headers }: FastifyRequest,
  name: CookieName,
  at: ConsoleOrigin,
): string | null => {
  const start = `${nameOf(name, at)}=`;
  const pairs = (headers.cookie ?? '').split(';', 50).map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
};

/** Read by no script, sent by no other site. */
const setCookie = (
  reply: FastifyReply,
  name: CookieName,
  at: ConsoleOrigin,
  value: string,
  maxAge: string,
): void => {
  const secure = isSecure(at) ? '; Secure' : '';
  void reply.header(
    'set-cookie',
    `${nameOf(name, at)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}${maxAge}`,
  );
};

/** The session's token as it was sent; null when there is none. */
export const tokenIn = (request: FastifyRequest, at: ConsoleOrigin): string | null =>
  valueIn(request, 'session', at);

/** Empty: the browser forgets it. */
export const setToken = (reply: FastifyReply, at: ConsoleOrigin, token: string): void =>
  setCookie(reply, 'session', at, token, token === '' ? '; Max-Age=0' : '');

/** The token of a browser in which somebody has signed in before; null when there is none. */
export const browserIn = (request: FastifyRequest, at: ConsoleOrigin): string | null =>
  valueIn(request, 'device', at);

/** Kept when the session is over. */
export const setBrowser = (reply: FastifyReply, at: ConsoleOrigin, token: string): void =>
  setCookie(reply, 'device', at, token, `; Max-Age=${KNOWN_DAYS * 86_400}`);
