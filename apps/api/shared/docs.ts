import { applyDecorators, type HttpStatus, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ProblemBody } from '#platform';
import { type Code, ERROR_CODES, exampleOf } from './error-codes.js';

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read, or has no Idempotency-Key.',
  401: 'No valid API key.',
  403: 'The key lacks the scope.',
  404: 'There is no such thing, for you.',
  408: 'What was sent came too slowly.',
  409: 'The state of things does not allow it, or the same request is being carried out.',
  413: 'The file is too large.',
  415: 'The content is of no type that is taken.',
  422: 'Some fields are not as they must be, or the Idempotency-Key was used otherwise.',
  429: 'Too many requests, or a daily limit is reached: wait as long as Retry-After says.',
  502: 'The payment provider refused our request.',
  503: 'A part is away for a moment: repeat the request, nothing is lost.',
};

/** What any request may meet. */
const ALWAYS: readonly Code[] = [
  'unauthorized',
  'scope_missing',
  'rate_limited',
  'temporarily_unavailable',
  'unavailable',
];

/** What a request with an Idempotency-Key may meet besides. */
export const CHANGE_ERRORS = [
  'malformed_request',
  'idempotency_key_missing',
  'request_in_flight',
  'validation_failed',
  'idempotency_key_reused',
  'card_number_refused',
  'iban_refused',
  'busy',
] as const satisfies readonly Code[];

/** How a request is answered that went well. */
interface Success {
  readonly status: HttpStatus;
  readonly description: string;
  readonly type?: Type;
  /** Of an answer that is not plain JSON. */
  readonly mediaType?: string;
  /** Of a file, whose format the request chooses: what a line of it is. */
  readonly rows?: Type;
  /** Of a stream that stays open: what stands in the `data` of each event. */
  readonly events?: { readonly type: Type; readonly example: string };
}

const fileOf = (row: Type): object => ({
  'text/csv': {
    schema: { type: 'string', description: `A header, then a line for each ${row.name}.` },
  },
  'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(row) } } },
});

const streamOf = ({ type, example }: NonNullable<Success['events']>): object => ({
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        `Server-sent events: \`id\` is for \`Last-Event-ID\`, \`event\` is the type, \`data\` is a ` +
        `${type.name} as JSON on one line. Comments come while nothing happens.`,
    },
    example,
  },
});

const bodyOf = ({ type, mediaType, rows, events }: Success): object => {
  if (rows !== undefined) return { content: fileOf(rows) };
  if (events !== undefined) return { content: streamOf(events) };
  if (mediaType === undefined) return type === undefined ? {} : { type };
  const schema = type === undefined ? { type: 'string' } : { $ref: getSchemaPath(type) };
  return { content: { [mediaType]: { schema } } };
};

/** Tells the API reference how a route answers, errors included, each with an example. */
export const Answers = (success: Success, ...errors: readonly Code[]): MethodDecorator => {
  const codes = [...new Set([...ALWAYS, ...errors])];
  const statuses = [...new Set(codes.map((code) => ERROR_CODES[code].status))];
  const examplesOf = (status: number): Record<string, { value: ProblemBody }> =>
    Object.fromEntries(
      codes
        .filter((code) => ERROR_CODES[code].status === status)
        .map((code) => [code, { value: exampleOf(code) }]),
    );
  const schema = { $ref: '#/components/schemas/ProblemDto' };
  // Under a media type of its own a model is only referred to.
  const models = [success.mediaType && success.type, success.rows, success.events?.type].filter(
    (model) => typeof model === 'function',
  );
  return applyDecorators(
    ApiExtraModels(...models),
    ApiResponse({
      status: success.status,
      description: success.description,
      ...bodyOf(success),
    }),
    ...statuses.map((status) =>
      ApiResponse({
        status,
        description: MEANINGS[status] ?? '',
        content: { 'application/problem+json': { schema, examples: examplesOf(status) } },
      }),
    ),
  );
};
