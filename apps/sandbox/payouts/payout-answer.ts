import {
  answer, CURRENCY, DATE, DATE_OR_NULL, idOf, pageOf, TEXT,
} from '../http/answers.js';
import type { MethodTotal } from '../money/payout-figures.js';
import type { payoutResource } from './payout-resource.js';
import { payoutMachine } from './payout-states.js';

type Told = ReturnType<typeof payoutResource>;

/** Minor units of a sum, which may exceed what one payment can be. */
const SUM = { type: 'integer', minimum: 0 } as const;
const TOTAL = answer<MethodTotal>({ amount: SUM, count: SUM, fees: SUM });
const KIND = answer<Told['payments']>({
  amount: SUM, method: answer<Told['payments']['method']>({ card: TOTAL, sepa: TOTAL }),
});

export const PAYOUT_ANSWER = answer<Told>({
  id: idOf('pout'), status: { enum: Object.keys(payoutMachine.table) }, reference: TEXT,
  currency: CURRENCY, amount: SUM, fees: SUM, fees_vat: SUM, date: DATE, date_bank: DATE_OR_NULL,
  payments: KIND, refunds: KIND, disputes: KIND,
});
export const PAYOUT_LIST_ANSWER = pageOf('payouts', PAYOUT_ANSWER);
