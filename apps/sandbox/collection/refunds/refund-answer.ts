import {
  answer, CURRENCY, idOf, idOrNull, MINOR_UNITS, MOMENT, pageOf,
} from '../../api/answers.js';
import type { refundResource } from './refund-resource.js';
import { refundMachine } from './refund-states.js';

export const REFUND_ANSWER = answer<ReturnType<typeof refundResource>>({
  id: idOf('refd'), created: MOMENT, status: { enum: Object.keys(refundMachine.table) },
  payment: idOf('paym'), amount: MINOR_UNITS, currency: CURRENCY, payout: idOrNull('pout'),
});
export const REFUND_LIST_ANSWER = pageOf('refunds', REFUND_ANSWER);
