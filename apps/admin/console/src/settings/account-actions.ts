import type { Wish } from '../actions/action';
import type { Schemas } from '../api/client';
import type { AccountStatus } from '../entity/account-status';

const KINDS = {
  waiting: ['switch_account', 'withdraw_account'],
  scheduled: ['withdraw_account'],
  taking_orders: ['poll_account', 'disable_account'],
  replaced: ['poll_account', 'switch_account'],
  disabled: ['poll_account', 'switch_account'],
} as const satisfies Readonly<Record<AccountStatus, readonly Wish['kind'][]>>;

/** What may be put right of an account as it stands. */
export const wishesForAccount = ({ id, status }: Schemas['AccountItem']): readonly Wish[] =>
  KINDS[status].map((kind) => ({ kind, target: { subjectId: id } }));
