import type { Schemas } from '../api/client';
import type { Tone } from '../shared/status-badge';

export type AccountStatus = Schemas['AccountItem']['status'];

/**
 * `approved` is not a status in lists; only the state computed from the account's events has it.
 */
export const ACCOUNT_TONES: Readonly<Record<AccountStatus | 'approved', Tone>> = {
  awaiting_approval: 'wait',
  scheduled: 'busy',
  taking_orders: 'ok',
  approved: 'ok',
  replaced: 'calm',
  disabled: 'bad',
};
