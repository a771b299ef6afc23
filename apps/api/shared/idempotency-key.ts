import { hash } from 'node:crypto';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { assert } from '#kernel';
import { Problem } from '#platform';

/** A request that may come again and must then be answered the same, without doing it again. */
export interface IdempotentRequest {
  readonly platformId: string;
  readonly key: string;
  /** Of the method, path and body: tells a repetition from another request under the same key. */
  readonly fingerprint: string;
}

const KEY = /^[!-~]{1,128}$/;

/** The same value always as the same text, whatever the order of its keys. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`;
};

export const fingerprintOf = (method: string, path: string, body: unknown): string =>
  hash('sha256', `${method} ${path}\n${canonical(body)}`, 'base64url');

const read = (request: FastifyRequest): IdempotentRequest => {
  const { caller, headers, method, url, body } = request;
  assert(caller !== null, 'an idempotent route knows its caller');
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new Problem(
      400,
      'idempotency_key_missing',
      'send an Idempotency-Key of 1 to 128 visible characters, new for each intended change',
      { errors: [{ detail: 'is missing or malformed', parameter: 'Idempotency-Key' }] },
    );
  }
  const fingerprint = fingerprintOf(method, url.split('?', 1)[0] ?? url, body);
  return { platformId: caller.platformId, key, fingerprint };
};

/** The request's idempotency key, as a handler's parameter. A POST without one is a 400. */
export const Idempotent = createParamDecorator((_: unknown, context: ExecutionContext) =>
  read(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Tells the API reference about the key. */
export const TakesIdempotencyKey = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: true,
      description:
        'New for each intended change, the same for each repetition of it: a repetition changes ' +
        'nothing and gets the first answer, marked `Idempotency-Replayed: true`.',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
    }),
  );
