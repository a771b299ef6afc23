import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

/** An error response of the server (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(
    readonly status: number,
    /** A stable error code; `network` if there was no response. */
    readonly code: string,
    detail: string,
    readonly correlationId: string | null,
    /** The message about each invalid field, by the field's name. */
    readonly fields: Readonly<Record<string, string>>,
  ) {
    super(detail);
  }
}

let csrfToken = '';

/** Stores the session's CSRF token, which is sent with every change. */
export const rememberCsrfToken = (token: string): void => {
  csrfToken = token;
};

/** The CSRF header, which every change must have. */
export const csrf = (): { readonly 'x-csrf-token': string } => ({ 'x-csrf-token': csrfToken });

export const api = createClient<paths>({ baseUrl: '/' });

/**
 * After this long without user input, requests count as background reads, which do not extend the
 * session.
 */
const IDLE_MS = 60_000;
let lastUsedMs = Date.now();

for (const name of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const) {
  window.addEventListener(
    name,
    () => {
      lastUsedMs = Date.now();
    },
    { passive: true },
  );
}

api.use({
  onRequest: ({ request }) => {
    if (Date.now() - lastUsedMs > IDLE_MS) request.headers.set('x-background', '1');
    return request;
  },
});

const fieldsOf = (problem: Schemas['ProblemDto']): Record<string, string> =>
  Object.fromEntries(
    (problem.errors ?? []).map(({ detail, pointer, parameter }) => [
      parameter ?? pointer?.replace(/^#?\//, '') ?? '',
      detail,
    ]),
  );

const isProblem = (body: unknown): body is Schemas['ProblemDto'] =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;

/** Returns the error that an unsuccessful response describes. */
const problemOf = (response: Response, body: unknown): ApiProblem => {
  if (!isProblem(body)) {
    return new ApiProblem(response.status, 'unreadable', response.statusText, null, {});
  }
  const { code, detail, correlationId } = body;
  return new ApiProblem(response.status, code, detail, correlationId, fieldsOf(body));
};

type Answer<Data> =
  | { readonly data: Data; readonly error?: never; readonly response: Response }
  | { readonly data?: never; readonly error: unknown; readonly response: Response };

/** The body of a successful response. Throws `ApiProblem` for an error or a missing response. */
export const bodyOf = async <Data>(asked: Promise<Answer<Data>>): Promise<Data> => {
  let answer: Answer<Data>;
  try {
    answer = await asked;
  } catch (error) {
    // A canceled request is not an error of the server. For any other failed request, `fetch`
    // gives no reason.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem(0, 'network', 'The server cannot be reached.', null, {});
  }
  if (answer.response.ok) return answer.data as Data;
  throw problemOf(answer.response, answer.error);
};
