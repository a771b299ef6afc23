import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { jsonPointer, Problem } from '#platform';

/**
 * For requests that take no fields, as a handler's parameter: no body, or an empty object. Anything
 * else is a 422. No `@Body`, which would put a body into the API reference.
 */
export const NoFields = createParamDecorator((_: unknown, context: ExecutionContext): void => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (body === undefined || body === null) return;
  if (typeof body === 'object' && Object.keys(body).length === 0) return;
  const names = typeof body === 'object' && !Array.isArray(body) ? Object.keys(body) : [];
  throw new Problem(422, 'validation_failed', 'this request takes no fields', {
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
