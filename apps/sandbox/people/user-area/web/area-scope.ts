import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../api/api-error.js';
import { type AccountScope, HOUSE_ACCOUNT } from '../../../storage/account-scope.js';

/**
 * The account and mode as a segment of a path: the mode, followed by the account if it is not the
 * default account.
 */
const SEGMENT = /^(test|live)(?:-(acct_[a-zA-Z0-9]{24}))?$/;

/** The path segment of an account and mode, e.g. `test`, or `live-acct_…`. */
export const segmentOf = ({ account_id: account, live }: AccountScope): string =>
  `${live ? 'live' : 'test'}${account === HOUSE_ACCOUNT ? '' : `-${account}`}`;

/** The account and mode in a path segment; null when it is invalid. */
export const scopeIn = (segment: string): AccountScope | null => {
  const [, mode, account = HOUSE_ACCOUNT] = SEGMENT.exec(segment) ?? [];
  return mode === undefined ? null : { account_id: account, live: mode === 'live' };
};

/**
 * The account and mode of a page, from its path `/user-area/{mode}/…`; 404 when the segment is
 * invalid.
 */
export const AreaScope = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AccountScope => {
    const { params } = context.switchToHttp().getRequest<FastifyRequest>();
    const scope = scopeIn((params as { readonly mode: string }).mode);
    if (scope === null) throw new ApiError(404, { error: 'Not found' });
    return scope;
  },
);
