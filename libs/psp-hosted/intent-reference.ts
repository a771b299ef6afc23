import type { WirePaymentIntent } from './payment-wire.js';

/**
 * Which payment an intent says that it is of. Completion, "Resources": `unique_id` is one intent's
 * alone, `order_id` is whatever was written last.
 */
export const referenceOfIntent = (
  { unique_id, order_id }: Pick<WirePaymentIntent, 'unique_id' | 'order_id'>,
): string | null => unique_id ?? order_id;
