import type { FastifyReply, FastifyRequest } from 'fastify';

/** Where the console is for its users, e.g. `https://console.example`; exactly as browsers say it. */
export interface ConsoleOrigin {
  readonly origin: string;
}

const isSecure = ({ origin }: ConsoleOrigin): boolean => origin.startsWith('https:');

/** With TLS a name that browsers bind to this host, and give no other host the right to set. */
const nameOf = (at: ConsoleOrigin): string => (isSecure(at) ? '__Host-session' : 'session');

/** The session's token as it was sent; null when there is none. */
export const tokenIn = ({ headers }: FastifyRequest, at: ConsoleOrigin): string | null => {
  const start = `${nameOf(at)}=`;
  const pairs = (headers.cookie ?? '').split(';', 50).map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
};

/** Read by no script, sent by no other site; empty: the browser forgets it. */
export const setToken = (reply: FastifyReply, at: ConsoleOrigin, token: string): void => {
  const secure = isSecure(at) ? '; Secure' : '';
  const kept = token === '' ? '; Max-Age=0' : '';
  void reply.header(
    'set-cookie', `${nameOf(at)}=${token}; Path=/; HttpOnly; SameSite=Strict${secure}${kept}`,
  );
};
