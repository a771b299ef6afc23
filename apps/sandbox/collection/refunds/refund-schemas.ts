import { MAX_AMOUNT_MINOR } from '#kernel';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import { reference } from '../../api/schemas.js';

/** Minor units; null or not given: what is left of the payment. */
const OPTIONAL_AMOUNT = {
  type: ['integer', 'null'], minimum: 1, maximum: MAX_AMOUNT_MINOR,
} as const;

export interface RefundCreate {
  readonly payment: string;
  readonly amount?: number | null;
}

/** `POST /v2/refunds`. */
export const refundCreate = checkedBody<RefundCreate>({
  required: ['payment'],
  properties: { payment: reference('paym'), amount: OPTIONAL_AMOUNT },
});

/** `POST /v2/payments/{id}/refund` and the intent's: the path names the payment. */
export const refundOf = checkedBody<Pick<RefundCreate, 'amount'>>({
  properties: { amount: OPTIONAL_AMOUNT },
});

export const refundList = listQuery();
