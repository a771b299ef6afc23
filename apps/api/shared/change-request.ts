import { hash } from 'node:crypto';
import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import type { EventMetadata } from '#log';
import { assert } from '#kernel';
import { traceparentOf } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import { SendAnswer } from './answer.js';
import { problem } from './error-codes.js';

/** The request that causes a command, as events record it. */
export interface Origin {
  readonly caller: Caller;
  readonly requestId: string;
  /** Null: the events continue the trace of their stream. */
  readonly traceparent: string | null;
}

/**
 * A request with an idempotency key: a repetition gets the stored response and is not executed
 * again.
 */
export interface ChangeRequest extends Origin {
  readonly key: string;
  /**
   * A hash of the method, path and body, which distinguishes a repetition from a different request.
   */
  readonly fingerprint: string;
}

const KEY = /^[!-~]{1,128}$/;

/**
 * Serialises equal values to the same text, even if the keys of an object are in a different order.
 */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`;
};

export const fingerprintOf = (method: string, path: string, body: unknown): string =>
  hash('sha256', `${method} ${path}\n${canonical(body)}`, 'base64url');

const originOf = (request: FastifyRequest): Origin => {
  const { caller, id: requestId } = request;
  assert(caller !== null, 'a route that records its caller requires a scope');
  return { caller, requestId, traceparent: traceparentOf(request) };
};

const changeRequestOf = (request: FastifyRequest): ChangeRequest => {
  const { headers, method, url, body } = request;
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !KEY.test(key)) throw problem('idempotency_key_missing');
  const fingerprint = fingerprintOf(method, url.split('?', 1)[0] ?? url, body);
  return { ...originOf(request), key, fingerprint };
};

/** A decorator for a handler's parameter: the request that causes the command. */
export const RequestOrigin = createParamDecorator((_: unknown, context: ExecutionContext) =>
  originOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/**
 * A decorator for a handler's parameter: the request with its idempotency key. Without a key, a
 * POST is refused with a 400.
 */
export const Idempotent = createParamDecorator((_: unknown, context: ExecutionContext) =>
  changeRequestOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/**
 * The metadata of the events that a platform's request causes; all events of an order share a
 * correlation id.
 */
export const metadataOf = (
  correlationId: string,
  { caller, requestId, traceparent }: Origin,
): EventMetadata => ({
  correlationId,
  causationId: requestId,
  actor: `platform:${caller.platformId}`,
  traceparent,
});

/**
 * Documents the idempotency key in the API reference, and sends the `Answer` that the handler
 * returns.
 */
export const TakesIdempotencyKey = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(new SendAnswer()),
    ApiHeader({
      name: 'Idempotency-Key',
      required: true,
      description:
        'New for each intended change, the same for each repetition of it. A repetition changes ' +
        'nothing and gets the first response, marked `Idempotency-Replayed: true`. ' +
        'A key that looks like a card number is refused: see `card_number_not_allowed`.',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
    }),
  );
