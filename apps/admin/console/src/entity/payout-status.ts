import type { Schemas } from '../api/client';
import type { Tone } from '../shared/status-badge';

export type PayoutStatus = Schemas['PayoutItem']['status'];

export const PAYOUT_TONES: Readonly<Record<PayoutStatus, Tone>> = {
  pending: 'wait',
  to_pay: 'busy',
  sent: 'busy',
  paid: 'ok',
  failed: 'bad',
};
