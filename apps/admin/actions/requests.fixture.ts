import { DAY_MS, instantFromMs } from '#kernel';
import type { Reply, TestBrowser } from '../admin.fixture.js';
import type { RepairKind, Target } from './action.js';

export const daysAgo = (days: number): string =>
  instantFromMs(Date.now() - days * DAY_MS).slice(0, 10);

/** The kinds of actions that need an approval. */
export const MONEY: readonly RepairKind[] = [
  'capture',
  'cancel',
  'refund',
  'reissue_refund',
  'abandon_refund',
  'resolve_result',
  'review_mismatches',
  'retry_requests',
  'discard_reaction',
  'close_exception',
  'accept_line',
  'switch_account',
  'disable_account',
];

export const reason = 'the merchant requested it';

/** A signed-in user with an id. */
export type Person = TestBrowser & { readonly userId: string };

/** The path of an action request. */
export const pathOf = ({ body }: Reply): string => `/v1/actions/${String(body['id'])}`;

/** Requests an action like the console does: with the digest of a preview if money is affected. */
export const ask = async (who: TestBrowser, kind: RepairKind, target: Target): Promise<Reply> => {
  const request = { kind, target, reason };
  if (!MONEY.includes(kind)) return who.post('/v1/actions', request);
  const {
    body: { digest },
  } = await who.post('/v1/actions/dry-run', request);
  return who.post('/v1/actions', { ...request, ...(digest !== undefined && { seen: digest }) });
};

/** Approves an action, with the digest of its current preview if it is still pending. */
export const approve = async (who: TestBrowser, path: string): Promise<Reply> => {
  const {
    body: { digest },
  } = await who.get(`${path}/preview`);
  return who.post(`${path}/approve`, { seen: digest ?? 'nothing' });
};
