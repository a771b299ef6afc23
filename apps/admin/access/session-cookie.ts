import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieIn } from '../shared/cookie.js';
import { KNOWN_DAYS } from './known-browsers.js';

/**
 * The origin of the console, written exactly as browsers send an origin, e.g.
 * `https://console.example`.
 */
export interface ConsoleOrigin {
  readonly origin: string;
}

const isSecure = ({ origin }: ConsoleOrigin): boolean => origin.startsWith('https:');

type CookieName = 'session' | 'device' | 'sign-in';

/**
 * The cookie's name; with TLS it has the `__Host-` prefix, so that only this host can set the
 * cookie.
 */
const nameOf = (name: CookieName, at: ConsoleOrigin): string =>
  isSecure(at) ? `__Host-${name}` : name;

const valueIn = ({ headers }: FastifyRequest, name: CookieName, at: ConsoleOrigin): string | null =>
  cookieIn(headers.cookie, nameOf(name, at));

/** Sets a cookie that scripts cannot read and other sites do not send. */
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

/** The session token in the request's cookie; null if there is none. */
export const tokenIn = (request: FastifyRequest, at: ConsoleOrigin): string | null =>
  valueIn(request, 'session', at);

/** Sets the session cookie; an empty token deletes it. */
export const setToken = (reply: FastifyReply, at: ConsoleOrigin, token: string): void =>
  setCookie(reply, 'session', at, token, token === '' ? '; Max-Age=0' : '');

/** The token of a browser in which a user has signed in before; null if there is none. */
export const browserIn = (request: FastifyRequest, at: ConsoleOrigin): string | null =>
  valueIn(request, 'device', at);

/** Sets the cookie with the browser's token, which is kept after the session ends. */
export const setBrowser = (reply: FastifyReply, at: ConsoleOrigin, token: string): void =>
  setCookie(reply, 'device', at, token, `; Max-Age=${KNOWN_DAYS * 86_400}`);

/**
 * The encrypted state of a sign-in, which the browser sends back when it returns from the identity
 * provider; null if there is none.
 */
export const signInIn = (request: FastifyRequest, at: ConsoleOrigin): string | null =>
  valueIn(request, 'sign-in', at);

/** Sets the cookie of a sign-in that was begun; an empty value deletes it. */
export const setSignIn = (
  reply: FastifyReply,
  at: ConsoleOrigin,
  value: string,
  seconds: number,
): void => setCookie(reply, 'sign-in', at, value, `; Max-Age=${value === '' ? 0 : seconds}`);
