import type { Schemas } from '../api/client';
import type { Wish } from '../actions/action';
import type { Tone } from '../shared/status-badge';

type Account = Schemas['AccountItem'];
export type AccountStatus = Account['status'];

/** How the merchant's orders use it; `approved` is how its own history has it. */
export const ACCOUNT_TONES: Readonly<Record<AccountStatus | 'approved', Tone>> = {
  waiting: 'wait', scheduled: 'busy', taking_orders: 'ok', approved: 'ok', replaced: 'calm',
  disabled: 'bad',
};

const KINDS = {
  waiting: ['switch_account', 'withdraw_account'],
  scheduled: ['withdraw_account'],
  taking_orders: ['poll_account', 'disable_account'],
  replaced: ['poll_account', 'switch_account'],
  disabled: ['poll_account', 'switch_account'],
} as const satisfies Readonly<Record<AccountStatus, readonly Wish['kind'][]>>;

/** What may be put right of an account as it stands. */
export const wishesForAccount = ({ id, status }: Account): readonly Wish[] =>
  KINDS[status].map((kind) => ({ kind, target: { subjectId: id } }));
