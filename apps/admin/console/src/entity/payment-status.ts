import type { Schemas } from '../api/client';
import type { Tone } from '../shared/status-badge';

export type PaymentStatus = Schemas['PaymentItem']['status'];

export const PAYMENT_TONES: Readonly<Record<PaymentStatus, Tone>> = {
  requested: 'busy',
  rejected: 'bad',
  open: 'wait',
  processing: 'busy',
  authorized: 'busy',
  to_capture: 'ok',
  capture_sent: 'ok',
  captured: 'ok',
  canceled: 'calm',
  expired: 'calm',
  returned: 'bad',
};
