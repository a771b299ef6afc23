import type { FastifyReply, FastifyRequest } from 'fastify';

const HOW = 'Path=/user-area; HttpOnly; SameSite=Strict';

/** The value of a cookie as sent; null when there is none. */
export const cookieIn = ({ headers }: FastifyRequest, name: string): string | null => {
  const pairs = (headers.cookie ?? '').split(';', 50).map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
};

/**
 * A cookie only for the User Area, hidden from scripts. `maxAge` in seconds; null: until the
 * browser closes.
 */
export const setCookie = (
  reply: FastifyReply,
  name: string,
  value: string,
  seconds: number | null = null,
): void => {
  const secure = reply.request.protocol === 'https' ? '; Secure' : '';
  const kept = seconds === null ? '' : `; Max-Age=${seconds}`;
  const known = [reply.getHeader('set-cookie') ?? []].flat().map(String);
  void reply.header('set-cookie', [...known, `${name}=${value}; ${HOW}${secure}${kept}`]);
};
