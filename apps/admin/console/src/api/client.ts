import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

/** What the server says when it does not do what was asked (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(
    readonly status: number,
    /** Stable, for programs; `network` when no answer came. */
    readonly code: string,
    detail: string,
    readonly correlationId: string | null,
    /** By the field's name what is wrong with it. */
    readonly fields: Readonly<Record<string, string>>,
  ) {
    super(detail);
  }
}

let csrfToken = '';

/** Of the session; each change carries it. */
export const rememberCsrfToken = (token: string): void => {
  csrfToken = token;
};

/** The header of each change, as the client's types want it. */
export const csrf = (): { readonly 'x-csrf-token': string } => ({ 'x-csrf-token': csrfToken });

export const api = createClient<paths>({ baseUrl: '/' });

/** A session ends when nobody uses it: what is read without anybody there is no use of it. */
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

/** The error that an answer means which is not a success. */
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

/** The body of a good answer. Throws `ApiProblem` for any other, and when none came. */
export const bodyOf = async <Data>(asked: Promise<Answer<Data>>): Promise<Data> => {
  let answer: Answer<Data>;
  try {
    answer = await asked;
  } catch (error) {
    // Fetch tells nothing but that it failed; a cancelled request is not a failure.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem(0, 'network', 'The server cannot be reached.', null, {});
  }
  if (answer.response.ok) return answer.data as Data;
  throw problemOf(answer.response, answer.error);
};
