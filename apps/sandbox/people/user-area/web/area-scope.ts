import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../api/api-error.js';
import { type AccountScope, HOUSE_ACCOUNT } from '../../../storage/account-scope.js';

/** The form of a scope in an address: the mode, and the account unless it is the sandbox's own. */
const SEGMENT = /^(test|live)(?:-(acct_[a-zA-Z0-9]{24}))?$/;

/** The scope as part of an address, e.g. `test`, or `live-acct_…`. */
export const segmentOf = ({ account_id: account, live }: AccountScope): string =>
  `${live ? 'live' : 'test'}${account === HOUSE_ACCOUNT ? '' : `-${account}`}`;

/** The scope in an address; null when it is invalid. */
export const scopeIn = (segment: string): AccountScope | null => {
  const [, mode, account = HOUSE_ACCOUNT] = SEGMENT.exec(segment) ?? [];
  return mode === undefined ? null : { account_id: account, live: mode === 'live' };
};

/** The page's scope, from its address `/user-area/{mode}/…`; any other address is a 404. */
export const AreaScope = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AccountScope => {
    const { params } = context.switchToHttp().getRequest<FastifyRequest>();
    const scope = scopeIn((params as { readonly mode: string }).mode);
    if (scope === null) throw new ApiError(404, { error: 'Not found' });
    return scope;
  },
);
