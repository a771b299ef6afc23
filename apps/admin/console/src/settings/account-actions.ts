import type { ActionRequest } from '../actions/action';
import type { Schemas } from '../api/client';
import type { AccountStatus } from '../entity/account-status';

const KINDS = {
  awaiting_approval: ['switch_account', 'withdraw_account'],
  scheduled: ['withdraw_account'],
  taking_orders: ['poll_account', 'disable_account'],
  replaced: ['poll_account', 'switch_account'],
  disabled: ['poll_account', 'switch_account'],
} as const satisfies Readonly<Record<AccountStatus, readonly ActionRequest['kind'][]>>;

/** The actions that the status of a provider account allows. */
export const actionsForAccount = ({
  id,
  status,
}: Schemas['AccountItem']): readonly ActionRequest[] =>
  KINDS[status].map((kind) => ({ kind, target: { subjectId: id } }));
