import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomText } from '#kernel';
import { ApiError } from '../../../api/api-error.js';
import { cookieIn, setCookie } from './cookies.js';

const NAME = 'area_form';
const TOKEN = /^[A-Za-z0-9]{32}$/;

/**
 * The token of the browser, which every form contains; stored in a cookie when the browser loads
 * its first page.
 */
export const formToken = (request: FastifyRequest, reply: FastifyReply): string => {
  const known = cookieIn(request, NAME);
  if (known !== null && TOKEN.test(known)) return known;
  const token = randomText(32);
  setCookie(reply, NAME, token);
  return token;
};

const isOurOrigin = (origin: string, host: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === host;

/**
 * Whether a page of this origin submitted the form, by `Sec-Fetch-Site` or, without this header, by
 * `Origin`: browsers omit `Sec-Fetch-Site` on pages that are neither https nor on loopback.
 */
const isSameOrigin = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const host = headers.host ?? headers[':authority'];
  return typeof host === 'string' && isOurOrigin(headers.origin ?? '', host);
};

const isToken = (given: string | null, known: string | null): boolean =>
  given !== null &&
  known !== null &&
  TOKEN.test(known) &&
  given.length === known.length &&
  timingSafeEqual(Buffer.from(given), Buffer.from(known));

/** A form that a page of the User Area submitted. */
export class Form {
  constructor(private readonly fields: URLSearchParams) {}

  /** The field's text, trimmed; empty when the field is missing. */
  text(name: string): string {
    return (this.fields.get(name) ?? '').trim();
  }
}

/**
 * Throws `ApiError` 403 unless a page of this origin submitted the form, with the token in the
 * browser's cookie.
 */
export const checkForm = (request: FastifyRequest, token: string | null): void => {
  if (isSameOrigin(request) && isToken(token, cookieIn(request, NAME))) return;
  throw new ApiError(403, {
    error: 'The form is out of date: open the page again and submit the form again',
  });
};

/** Reads and checks a form without files. */
export const readForm = (request: FastifyRequest): Form => {
  const fields = new URLSearchParams(
    Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '',
  );
  checkForm(request, fields.get('token'));
  return new Form(fields);
};
