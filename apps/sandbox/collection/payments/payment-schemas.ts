import type { Currency } from '#kernel';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import {
  AMOUNT, OPTIONAL_CURRENCY, OPTIONAL_FLAG, OPTIONAL_URL, optionalReference, optionalText,
  reference,
} from '../../api/schemas.js';
import { CARD_INPUT, type CardCreate } from '../cards/card-schemas.js';
import { SEPA_CREATE, type SepaCreate } from '../sepa/sepa-input.js';

/** What the body of `POST /v2/payments` holds; null is the same as not given. */
export interface PaymentCreate {
  readonly amount: number;
  readonly currency?: Currency | null;
  readonly capture?: boolean | null;
  /** An id, or the card itself. */
  readonly card?: string | CardCreate | null;
  /** An id, or the account itself. */
  readonly sepa?: string | SepaCreate | null;
  /** Whether the payer is sent to the bank, where the card has that; and where they come back to. */
  readonly auth?: boolean | { readonly return_url?: string | null } | null;
  readonly customer?: string | null;
  readonly description?: string | null;
  readonly order_id?: string | null;
  readonly unique_id?: string | null;
}

const AUTH = {
  anyOf: [
    { type: ['boolean', 'null'] },
    { type: 'object', additionalProperties: false, properties: { return_url: OPTIONAL_URL } },
  ],
} as const;

const NO_MEANS = { type: 'null' } as const;

export const paymentCreate = checkedBody<PaymentCreate>(
  {
    required: ['amount'],
    properties: {
      amount: AMOUNT,
      currency: OPTIONAL_CURRENCY,
      capture: OPTIONAL_FLAG,
      card: { anyOf: [reference('card'), CARD_INPUT, NO_MEANS] },
      sepa: { anyOf: [reference('sepa'), SEPA_CREATE, NO_MEANS] },
      auth: AUTH,
      customer: optionalReference('cust'),
      description: optionalText(3, 64),
      order_id: optionalText(1, 36),
      unique_id: optionalText(1, 36),
    },
  },
  ['card.number', 'sepa.iban'],
);

/** What may be changed of a payment, wherever it stands. */
export interface PaymentPatch {
  readonly description?: string | null;
  readonly order_id?: string | null;
}

export const paymentPatch = checkedBody<PaymentPatch>({
  properties: { description: optionalText(3, 64), order_id: optionalText(1, 36) },
});

interface PaymentFilters {
  readonly order_id?: string;
  readonly unique_id?: string;
  readonly payout?: string;
}

export const paymentList = listQuery<PaymentFilters>({
  order_id: { type: 'string' },
  unique_id: { type: 'string' },
  payout: { type: 'string' },
});
