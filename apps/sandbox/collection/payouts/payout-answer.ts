import {
  answer, CURRENCY, DATE, DATE_OR_NULL, idOf, pageOf, TEXT,
} from '../../api/answers.js';
import type { MethodTotal } from '../../money/payout-figures.js';
import type { payoutResource } from './payout-resource.js';
import { payoutMachine } from './payout-states.js';

type Told = ReturnType<typeof payoutResource>;

/** Minor units of a sum, which may exceed what one payment can be. */
const SUM = { type: 'integer', minimum: 0 } as const;
const TOTAL = answer<MethodTotal>({ amount: SUM, count: SUM, fees: SUM });
/** Of disputes what was taken less what was given back: it may be negative. */
const NET_SUM = { type: 'integer' } as const;
const NET_TOTAL = answer<MethodTotal>({ amount: NET_SUM, count: SUM, fees: SUM });

const kind = (sum: object, total: object) => answer<Told['payments']>({
  amount: sum, method: answer<Told['payments']['method']>({ card: total, sepa: total }),
});
const KIND = kind(SUM, TOTAL);

export const PAYOUT_ANSWER = answer<Told>({
  id: idOf('pout'), status: { enum: Object.keys(payoutMachine.table) }, reference: TEXT,
  currency: CURRENCY, amount: SUM, fees: SUM, fees_vat: SUM, date: DATE, date_bank: DATE_OR_NULL,
  payments: KIND, refunds: KIND, disputes: kind(NET_SUM, NET_TOTAL),
});
export const PAYOUT_LIST_ANSWER = pageOf('payouts', PAYOUT_ANSWER);
