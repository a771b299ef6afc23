import { applyDecorators, HttpCode, type HttpStatus, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ProblemBody } from '#platform';
import { type Code, ERROR_CODES, exampleOf } from './error-codes.js';

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read, or has no Idempotency-Key.',
  401: 'No valid API key.',
  403: 'The key lacks the scope.',
  404: 'The resource does not exist, or belongs to another platform.',
  408: 'The upload was too slow.',
  409: 'The status of the resource does not allow the request, or the same request is already in progress.',
  413: 'The body or the file is too large.',
  415: 'The content type is not accepted.',
  422: 'Some fields are invalid, or the Idempotency-Key was used for another request.',
  429: 'Too many requests, or a daily limit is reached: wait for the time in Retry-After.',
  502: 'The payment provider refused our request.',
  503: 'A part of the service is temporarily unavailable: repeat the request.',
};

/** Errors that any request may get. */
const ALWAYS: readonly Code[] = [
  'unauthorized',
  'scope_missing',
  'rate_limited',
  'temporarily_unavailable',
  'unavailable',
];

/** Additional errors that a request with a JSON body may get. */
export const BODY_ERRORS = [
  'malformed_request',
  'validation_failed',
  'card_number_not_allowed',
  'iban_not_allowed',
  'unstorable_text',
  'too_deep',
  'body_too_large',
  'unsupported_media_type',
  'busy',
] as const satisfies readonly Code[];

/** Additional errors that a request with an Idempotency-Key may get. */
export const CHANGE_ERRORS = [
  ...BODY_ERRORS,
  'idempotency_key_missing',
  'request_in_progress',
  'idempotency_key_reused',
] as const satisfies readonly Code[];

/** The response to a successful request. */
interface Success {
  /** The HTTP status; default: 200. */
  readonly status?: HttpStatus;
  readonly description: string;
  readonly type?: Type;
  /** The media type of a response that is not plain JSON; several for a file. */
  readonly mediaType?: string | readonly string[];
  /** For a downloaded file: the class of its rows. The request chooses the format. */
  readonly rows?: Type;
  /** For an event stream: the class of the events' `data`. */
  readonly events?: { readonly type: Type; readonly example: string };
}

const fileOf = (row: Type): object => ({
  'text/csv': {
    schema: {
      type: 'string',
      description: `A header row, then one line per item, with the fields of ${row.name}.`,
    },
  },
  'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(row) } } },
});

const streamOf = ({ type, example }: NonNullable<Success['events']>): object => ({
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        `Server-sent events: \`id\` is for \`Last-Event-ID\`, \`event\` is the type, \`data\` is a ` +
        `${type.name} as JSON on one line. Comments are sent as heartbeats.`,
    },
    example,
  },
});

const bodyOf = ({ type, mediaType, rows, events }: Success): object => {
  if (rows !== undefined) return { content: fileOf(rows) };
  if (events !== undefined) return { content: streamOf(events) };
  if (mediaType === undefined) return type === undefined ? {} : { type };
  const file = { type: 'string', format: 'binary' };
  const schema = type === undefined ? file : { $ref: getSchemaPath(type) };
  const mediaTypes = [mediaType].flat();
  return { content: Object.fromEntries(mediaTypes.map((one) => [one, { schema }])) };
};

const LOCATION = {
  Location: { description: 'The path of the created resource.', schema: { type: 'string' } },
} as const;

/**
 * Declares the status of a route's response, and all its responses in the API reference, with
 * examples.
 */
export const Answers = (success: Success, ...errors: readonly Code[]): MethodDecorator => {
  const { status = 200, description } = success;
  const codes = [...new Set([...ALWAYS, ...errors])];
  const statuses = [...new Set(codes.map((code) => ERROR_CODES[code].status))];
  const examplesOf = (of: number): Record<string, { value: ProblemBody }> =>
    Object.fromEntries(
      codes
        .filter((code) => ERROR_CODES[code].status === of)
        .map((code) => [code, { value: exampleOf(code) }]),
    );
  const schema = { $ref: '#/components/schemas/ProblemDto' };
  // For a media type other than JSON, Swagger does not add the model to the document by itself.
  const models = [success.mediaType && success.type, success.rows, success.events?.type].filter(
    (model) => typeof model === 'function',
  );
  return applyDecorators(
    HttpCode(status),
    ApiExtraModels(...models),
    ApiResponse({
      status,
      description,
      ...bodyOf(success),
      ...(status === 201 && { headers: LOCATION }),
    }),
    ...statuses.map((one) =>
      ApiResponse({
        status: one,
        description: MEANINGS[one] ?? '',
        content: { 'application/problem+json': { schema, examples: examplesOf(one) } },
      }),
    ),
  );
};
