import type { Schemas } from '../api/client';
import type { Tone } from '../shared/status-badge';

export type OrderStatus = Schemas['OrderItem']['status'];

export const ORDER_TONES: Readonly<Record<OrderStatus, Tone>> = {
  open: 'wait',
  authorized: 'busy',
  closing: 'wait',
  paid: 'ok',
  canceled: 'calm',
  expired: 'calm',
  failed: 'bad',
};
