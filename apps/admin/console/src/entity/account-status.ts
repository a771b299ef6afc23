import type { Schemas } from '../api/client';
import type { Tone } from '../shared/status-badge';

export type AccountStatus = Schemas['AccountItem']['status'];

/** How the merchant's orders use it; `approved` is how its own history has it. */
export const ACCOUNT_TONES: Readonly<Record<AccountStatus | 'approved', Tone>> = {
  waiting: 'wait',
  scheduled: 'busy',
  taking_orders: 'ok',
  approved: 'ok',
  replaced: 'calm',
  disabled: 'bad',
};
