import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { jsonPointer } from '#platform';
import { problem } from './error-codes.js';

/**
 * A decorator for a parameter of a handler whose request has no fields: accepts no body or an empty
 * object, and refuses any other body with 422. Not based on `@Body`, which would add a body to the
 * API reference.
 */
export const NoFields = createParamDecorator((_: unknown, context: ExecutionContext): void => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (body === undefined || body === null) return;
  if (typeof body === 'object' && Object.keys(body).length === 0) return;
  const names = typeof body === 'object' && !Array.isArray(body) ? Object.keys(body) : [];
  throw problem('validation_failed', {
    detail: 'this request accepts no fields: send an empty object, or no body',
    errors:
      names.length === 0
        ? [{ detail: 'must be an empty object', code: 'isObject', pointer: '#' }]
        : names.map((name) => ({
            detail: `${name} is not a field of this request`,
            code: 'unknown_field',
            pointer: jsonPointer([name]),
          })),
  });
});
