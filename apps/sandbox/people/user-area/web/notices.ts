import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieIn, setCookie } from './cookies.js';
import type { Notice } from './view.js';

const NAME = 'area_notice';
const KEPT_S = 30;
/**
 * Maximum length of a message: the message is sent in a cookie, and browsers accept cookies of at
 * most 4 KiB.
 */
const MAX_TEXT = 500;

const noticeOf = (value: string): Notice | null => {
  try {
    const read = JSON.parse(decodeURIComponent(value)) as { tone?: unknown; text?: unknown };
    if (typeof read.text !== 'string') return null;
    return { tone: read.tone === 'good' ? 'good' : 'bad', text: read.text.slice(0, MAX_TEXT) };
  } catch {
    return null; // The cookie has no valid message, so it was not set by the User Area.
  }
};

/** The message of the previous action; shown once. */
export const takeNotice = (request: FastifyRequest, reply: FastifyReply): Notice | null => {
  const value = cookieIn(request, NAME);
  if (value === null) return null;
  setCookie(reply, NAME, '', 0);
  return noticeOf(value);
};

/** Redirects the browser to a page of the User Area with a message. */
export const leadTo = (reply: FastifyReply, path: string, { tone, text }: Notice): void => {
  const value = encodeURIComponent(JSON.stringify({ tone, text: text.slice(0, MAX_TEXT) }));
  setCookie(reply, NAME, value, KEPT_S);
  void reply.code(303).header('location', path).header('cache-control', 'no-store').send();
};
