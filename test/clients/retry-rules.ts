import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** An error response of a proxy, whose body is not problem JSON. */
interface OfProxy {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Answer =
  | readonly [status: number, retryAfter?: string]
  | OfProxy
  | 'broken'
  | 'silent'
  | 'huge';

const ofProxy = (status: number, type = 'text/html', body = '<h1>Bad</h1>'): OfProxy => ({
  status,
  type,
  body,
});

const json = (body: string): OfProxy => ofProxy(201, 'application/json', body);

const page = (body: object): OfProxy => ofProxy(200, 'application/json', JSON.stringify(body));

const pageBefore = (nextCursor: string): OfProxy => page({ items: [], nextCursor });

const redirect = (status: number, location: string): OfProxy => ({
  ...ofProxy(status),
  headers: { location },
});

const MEBIBYTE = 1_024 * 1_024;

function* hugeJson(): Generator<Buffer> {
  // Spaces before the value make the response huge, and the JSON stays valid.
  const blanks = Buffer.alloc(MEBIBYTE, ' ');
  for (let count = 0; count < 257; count += 1) yield blanks;
  yield Buffer.from('{"id":"ok"}');
}

/** Sends JSON that is larger than any response of the API, until the client closes the connection. */
export const sendHugeJson = async (response: ServerResponse): Promise<void> => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  try {
    await pipeline(Readable.from(hugeJson()), createGzip({ level: 1 }), response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
};

interface Rule {
  /** The server's responses to the first attempts. The server accepts all later attempts. */
  readonly answers: readonly Answer[];
  readonly attempts: number;
  readonly result: string;
}

/**
 * The tested rules by name. The client sends the name as the reference of a new order, as the id of
 * a merchant to change or of a webhook endpoint to delete, or as the filter of a list.
 */
export const RULES: Readonly<Record<string, Rule>> = {
  'a request in progress': { answers: [[409, '0']], attempts: 2, result: 'ok' },
  'too many requests': {
    answers: [
      [429, '0'],
      [429, '0'],
    ],
    attempts: 3,
    result: 'ok',
  },
  'a service that is unavailable': { answers: [[503, '0'], [503]], attempts: 3, result: 'ok' },
  'a broken connection': { answers: ['broken', 'broken'], attempts: 3, result: 'ok' },
  'a timeout': { answers: ['silent'], attempts: 2, result: 'ok' },
  'a connection that breaks four times': {
    answers: ['broken', 'broken', 'broken', 'broken'],
    attempts: 4,
    result: 'no response',
  },
  'a proxy that reaches no service': {
    answers: [ofProxy(502), ofProxy(504)],
    attempts: 3,
    result: 'ok',
  },
  'a proxy that reaches no service four times': {
    answers: [ofProxy(502), ofProxy(504), ofProxy(502), ofProxy(504)],
    attempts: 4,
    result: '504 unknown null',
  },
  'a proxy that says nothing': {
    answers: Array.from({ length: 4 }, () => ofProxy(504, 'application/json', '')),
    attempts: 4,
    result: '504 unknown null',
  },
  'a proxy that says JSON and sends none': {
    answers: [ofProxy(500, 'application/json', '<h1>Bad</h1>')],
    attempts: 1,
    result: '500 unknown null',
  },
  'a redirect to the list': {
    answers: [redirect(301, '/v1/orders')],
    attempts: 1,
    result: '301 unknown null',
  },
  'a redirect to another server': {
    answers: [redirect(307, 'http://localhost/v1/orders')],
    attempts: 1,
    result: '307 unknown null',
  },
  'a page of a proxy instead of an order': {
    answers: [ofProxy(200), ofProxy(200, 'text/plain', 'ok')],
    attempts: 3,
    result: 'ok',
  },
  'truncated JSON': { answers: [json('{"id":'), json('')], attempts: 3, result: 'ok' },
  'JSON that is truncated four times': {
    answers: Array.from({ length: 4 }, () => json('{"id":')),
    attempts: 4,
    result: 'no response',
  },
  'change and truncated JSON': { answers: [json('{')], attempts: 1, result: 'no response' },
  'change and a huge response': { answers: ['huge'], attempts: 1, result: 'no response' },
  'list and a page that names no further page': {
    answers: [page({ items: [] })],
    attempts: 1,
    result: 'no response',
  },
  'list and no items': {
    answers: [page({ nextCursor: null })],
    attempts: 1,
    result: 'no response',
  },
  'list and two pages': {
    answers: [pageBefore('b'), page({ items: [], nextCursor: null })],
    attempts: 2,
    result: 'ok',
  },
  'a provider that rejects': { answers: [[502]], attempts: 1, result: '502 spec_code req_1' },
  'another conflict': { answers: [[409]], attempts: 1, result: '409 spec_code req_1' },
  'an empty key': { answers: [[400]], attempts: 1, result: '400 spec_code req_1' },
  'an invalid request': { answers: [[422]], attempts: 1, result: '422 spec_code req_1' },
  'a limit of the day': { answers: [[429, '3600']], attempts: 1, result: '429 spec_code req_1' },
  'change and a broken connection': { answers: ['broken'], attempts: 1, result: 'no response' },
  'change and too many requests': { answers: [[429, '0']], attempts: 2, result: 'ok' },
  'change and a proxy': { answers: [ofProxy(504)], attempts: 1, result: '504 unknown null' },
  'delete and a broken connection': { answers: ['broken'], attempts: 1, result: 'no response' },
  'delete and a proxy': { answers: [ofProxy(502)], attempts: 1, result: '502 unknown null' },
  'delete and too many requests': { answers: [[429, '0']], attempts: 2, result: 'ok' },
};
