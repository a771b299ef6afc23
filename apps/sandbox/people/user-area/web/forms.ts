import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomText } from '#kernel';
import { ApiError } from '../../../api/api-error.js';
import { cookieIn, setCookie } from './cookies.js';

const NAME = 'area_form';
const TOKEN = /^[A-Za-z0-9]{32}$/;

/** The browser's token, which every form repeats; made at its first page. */
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
 * Browsers say by one of these headers where a form was. A browser leaves the first one out only
 * where a page is neither encrypted nor local.
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

/** A form that a page of the User Area sent. */
export class Form {
  constructor(private readonly fields: URLSearchParams) {}

  /** Without the spaces around; empty when it is not there. */
  text(name: string): string {
    return (this.fields.get(name) ?? '').trim();
  }
}

/** Throws `ApiError` 403 unless the form was on a page of ours and has the browser's token. */
export const checkForm = (request: FastifyRequest, token: string | null): void => {
  if (isSameOrigin(request) && isToken(token, cookieIn(request, NAME))) return;
  throw new ApiError(403, { error: 'The form is not of this page any more: send it again' });
};

/** The same, of a form without files. */
export const readForm = (request: FastifyRequest): Form => {
  const fields = new URLSearchParams(
    Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '',
  );
  checkForm(request, fields.get('token'));
  return new Form(fields);
};
