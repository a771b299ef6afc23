import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../http/api-error.js';

/** The mode that an address of the User Area names: `test` or `live`. */
export const modeOf = ({ params }: FastifyRequest): boolean => {
  const { mode } = params as { readonly mode?: string };
  if (mode !== 'test' && mode !== 'live') throw new ApiError(404, { error: 'Not found' });
  return mode === 'live';
};

/** Whether the page is that of the live mode; another mode is a 404. */
export const LiveMode = createParamDecorator((_data: unknown, context: ExecutionContext): boolean =>
  modeOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
