import { randomUUID } from 'node:crypto';
import createFetch from 'openapi-fetch';
import { ApiError } from './api-error.js';
import { Listing, type Page } from './listing.js';
import type { Method, WaitOptions } from './method.js';
import { type Operations, ROUTES } from './operations.js';
import { type RetryOptions, retryingFetch } from './retrying-fetch.js';

/** A method for each operation of the API. */
export type Client = { readonly [Name in keyof Operations]: Method<Operations[Name]> };

export interface ClientOptions {
  /** The URL of the API, e.g. `http://127.0.0.1:4100`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The time limit of each attempt, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** The maximum number of attempts of a request. Default: 4. */
  readonly maxAttempts?: number;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: 'none' | 'json' | 'form';
  /**
   * The content of a successful response. `download`: JSON or CSV. `file`: a file of any media
   * type.
   */
  readonly answer: 'json' | 'download' | 'file' | 'none';
  readonly isPaged: boolean;
}

type Values = Readonly<Record<string, unknown>>;

/** The untyped request function of openapi-fetch. Callers get types from the client's methods. */
type Send = (
  method: string,
  path: string,
  init: object,
) => Promise<{ readonly response: Response; readonly error?: unknown }>;

/** Files are sent as they are, other values as JSON. */
const formOf = (body: Values): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const one of [value].flat()) {
      if (one instanceof Blob) form.append(name, one, `${name}`);
      else if (one !== undefined) form.append(name, JSON.stringify(one));
    }
  }
  return form;
};

/** Divides the input's values into path parameters, query parameters and body. */
const partsOf = (route: Route, input: Values) => {
  const only = (isOf: (name: string) => boolean): Values =>
    Object.fromEntries(Object.entries(input).filter(([name]) => isOf(name)));
  const isInPath = (name: string) => route.path.includes(`{${name}}`);
  const isInQuery = (name: string) => route.query.includes(name);
  return {
    path: only(isInPath),
    query: only(isInQuery),
    body: only((name) => !isInPath(name) && !isInQuery(name)),
  };
};

/**
 * An amount that is undefined is sent as null, which the API rejects: JSON would omit the field,
 * and without an amount the whole order is refunded or captured.
 */
const withGivenAmount = (body: Values): Values =>
  Object.hasOwn(body, 'amountMinor') && body['amountMinor'] === undefined
    ? { ...body, amountMinor: null }
    : body;

const bodyInit = (route: Route, body: Values): object => {
  if (route.body === 'none') return {};
  return route.body === 'json' ? { body: withGivenAmount(body) } : { body, bodySerializer: formOf };
};

/**
 * Returns the content of a successful response. Throws if the response comes from a proxy instead
 * of the API, or is truncated.
 */
const decoded = async (response: Response, answer: Route['answer']): Promise<unknown> => {
  const type = response.headers.get('content-type') ?? '';
  const isExpected = {
    json: type.includes('json'),
    download: type.includes('json') || type.startsWith('text/csv'),
    file: type !== '' && !type.startsWith('text/'),
    none: response.body === null,
  }[answer];
  if (!isExpected) throw new TypeError(`the response has the unexpected type “${type}”`);
  if (answer === 'none') return undefined;
  if (answer === 'file') return response.blob();
  return type.startsWith('text/csv') ? response.text() : response.json();
};

interface Api {
  readonly send: Send;
  readonly retries: RetryOptions;
}

const request = async (
  { send, retries }: Api,
  route: Route,
  input: Values,
  { idempotencyKey = randomUUID(), signal, waitSeconds }: WaitOptions,
): Promise<unknown> => {
  const { path, query, body } = partsOf(route, input);
  const key = route.method === 'POST' ? idempotencyKey : null;
  let value: unknown;
  const { response, error } = await send(route.method, route.path, {
    params: { path, query },
    fetch: retryingFetch(retries, async (success) => {
      value = await decoded(success, route.answer);
    }),
    // A redirect is not followed: another host must not receive the request, and a redirected POST
    // would become a GET.
    redirect: 'manual',
    headers: {
      ...(key !== null && { 'idempotency-key': key }),
      ...(waitSeconds !== undefined && { prefer: `wait=${waitSeconds}` }),
    },
    parseAs: 'stream',
    ...(signal !== undefined && { signal }),
    ...bodyInit(route, body),
  });
  if (!response.ok) throw new ApiError(response, error, key);
  return value;
};

/**
 * A client of the API. Its methods have the names of the operations in the API reference, and
 * reject with `ApiError`, or with `ConnectionFailed` if the last attempt got no response from the
 * API.
 */
export const createClient = (options: ClientOptions): Client => {
  const { baseUrl, apiKey, timeoutMs = 30_000, maxAttempts = 4 } = options;
  const { request: send } = createFetch({
    baseUrl,
    headers: { authorization: `Bearer ${apiKey}` },
  }) as unknown as { readonly request: Send };
  const api: Api = { send, retries: { timeoutMs, maxAttempts } };
  const methodOf =
    (route: Route) =>
    (input: Values = {}, sent: WaitOptions = {}) =>
      route.isPaged
        ? new Listing((cursor) => {
            const at = cursor === undefined ? input : { ...input, cursor };
            return request(api, route, at, sent) as Promise<Page<unknown>>;
          })
        : request(api, route, input, sent);
  const methods = Object.entries<Route>(ROUTES).map(([name, route]) => [name, methodOf(route)]);
  return Object.fromEntries(methods) as Client;
};
