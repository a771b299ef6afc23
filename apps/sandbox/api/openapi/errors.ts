import { answer, described, shape, TEXT } from '../answers.js';
import type { Schema } from './route.js';

const WHO = answer({
  type: described('The kind of error.', shape({ const: 'invalid_request_error' })),
  message: described('The cause of the error, in a sentence.', TEXT),
});

/** The bodies of all error responses. See docs/provider/payments-completion.md#conventions. */
export const ERROR_SCHEMAS = {
  Unauthorized: answer({ error: described('Why the request is refused.', WHO) }),
  ApiError: answer({ error: described('Why the current state forbids the request.', TEXT) }),
  HTTPValidationError: answer({
    detail: shape({
      type: 'array',
      minItems: 1,
      description: 'Every error of the request.',
      items: answer({
        loc: shape({
          type: 'array',
          minItems: 1,
          items: { type: ['string', 'integer'] },
          description:
            'The location of the error: `body`, `query` or `path`, then field names and indexes.',
        }),
        msg: described('Why the value is invalid.', TEXT),
        type: described('The kind of the error.', TEXT),
      }),
    }),
  }),
} as const;

interface ErrorAnswer {
  readonly schema: keyof typeof ERROR_SCHEMAS;
  readonly description: string;
  readonly example: object;
  readonly header?: { readonly name: string; readonly schema: Schema };
}

const withMessage = (description: string, error: string): ErrorAnswer => ({
  schema: 'ApiError',
  description,
  example: { error },
});

export type ErrorStatus = 401 | 404 | 405 | 409 | 413 | 415 | 422 | 500;

const ERRORS: Readonly<Record<ErrorStatus, ErrorAnswer>> = {
  401: {
    schema: 'Unauthorized',
    description: 'The API key is missing or unknown.',
    example: {
      error: {
        type: 'invalid_request_error',
        message: 'You are not authorized to access that resource',
      },
    },
    header: { name: 'WWW-Authenticate', schema: { const: 'Basic' } },
  },
  404: withMessage(
    'No object of this account and mode has this id.',
    'Payment intent `pi_PpUqcL3tSxVmZ0aYwRk7Gd2n` not found',
  ),
  405: {
    ...withMessage(
      'The path does not support this method; `Allow` lists the supported methods.',
      'Method not allowed',
    ),
    header: { name: 'Allow', schema: { type: 'string' } },
  },
  409: withMessage(
    'The request conflicts with the current state.',
    'Payment intent is canceled: only an authorized payment can be captured',
  ),
  413: withMessage('The body is too large.', 'The body is too large'),
  415: withMessage('The body is not JSON.', 'Unsupported media type: send application/json'),
  422: {
    schema: 'HTTPValidationError',
    description: 'The path, the query or the body is invalid; `detail` lists every error.',
    example: { detail: [{ loc: ['body', 'amount'], msg: 'Field required', type: 'missing' }] },
  },
  500: withMessage('An internal error; the response contains no details.', 'Internal server error'),
};

const responseOf = ({ schema, description, example, header }: ErrorAnswer) => ({
  description,
  ...(header === undefined
    ? {}
    : { headers: { [header.name]: { required: true, schema: header.schema } } }),
  content: {
    'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example },
  },
});

/** The error responses in `components.responses`, by name. */
export const ERROR_RESPONSES = Object.fromEntries(
  Object.entries(ERRORS).map(([status, error]) => [`Error${status}`, responseOf(error)]),
);

/** An operation's reference to an error response; both OpenAPI documents use the same names. */
export const errorRef = (status: number) => ({ $ref: `#/components/responses/Error${status}` });
