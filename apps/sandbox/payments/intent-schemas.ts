import { CURRENCIES, type Currency, MAX_AMOUNT_MINOR } from '#kernel';
import { checkedBody } from '../http/checked.js';
import { idPattern } from '../http/ids.js';
import { listQuery } from '../http/lists.js';

/** What the body of `POST /v2/payment_intents` holds; null is the same as not given. */
export interface IntentCreate {
  readonly amount: number;
  readonly currency?: Currency | null;
  readonly capture?: boolean | null;
  readonly methods_allowed?: string | readonly Method[] | null;
  readonly threeds?: 'required' | 'none' | null;
  readonly description?: string | null;
  readonly customer?: string | null;
  readonly card?: string | null;
  readonly sepa?: string | null;
  readonly order_id?: string | null;
  readonly unique_id?: string | null;
  readonly return_url?: string | null;
  readonly date_settlement?: string | null;
  readonly metadata?: object | null;
  readonly billing_address?: string | null;
  readonly shipping_address?: string | null;
}

export type Method = 'card' | 'sepa';

const text = (minLength: number, maxLength: number) =>
  ({ type: ['string', 'null'], minLength, maxLength }) as const;
const reference = (prefix: Parameters<typeof idPattern>[0]) =>
  ({ type: ['string', 'null'], pattern: idPattern(prefix) }) as const;

const METHODS = {
  anyOf: [
    { type: 'string', pattern: '^ *(sepa|card)( *, *(sepa|card))* *$' },
    { type: 'array', items: { enum: ['sepa', 'card'] }, minItems: 1 },
    { type: 'null' },
  ],
} as const;

/** From the year 1900 on. */
const DATE = { type: ['string', 'null'], format: 'date', pattern: '^(19|20)' } as const;

const URL_PATTERN = '^https?://[^\\s]+$';

export const intentCreate = checkedBody<IntentCreate>({
  required: ['amount'],
  properties: {
    amount: { type: 'integer', minimum: 1, maximum: MAX_AMOUNT_MINOR },
    currency: { enum: [...CURRENCIES, null] },
    capture: { type: ['boolean', 'null'] },
    methods_allowed: METHODS,
    threeds: { enum: ['required', 'none', null] },
    description: text(3, 64),
    customer: reference('cust'),
    card: reference('card'),
    sepa: reference('sepa'),
    order_id: text(1, 36),
    unique_id: text(1, 36),
    return_url: { type: ['string', 'null'], maxLength: 2_048, pattern: URL_PATTERN },
    date_settlement: DATE,
    metadata: { type: ['object', 'null'] },
    billing_address: reference('addr'),
    shipping_address: reference('addr'),
  },
});

/** What may be changed while nothing is authorized. */
export interface IntentPatch {
  readonly description?: string | null;
  readonly order_id?: string | null;
}

export const intentPatch = checkedBody<IntentPatch>({
  properties: { description: text(3, 64), order_id: text(1, 36) },
});

interface IntentFilters {
  readonly order_id?: string;
  readonly unique_id?: string;
  readonly card?: string;
  readonly sepa?: string;
}

export const intentList = listQuery<IntentFilters>({
  order_id: { type: 'string' },
  unique_id: { type: 'string' },
  card: { type: 'string' },
  sepa: { type: 'string' },
});

interface PaymentFilters {
  readonly order_id?: string;
  readonly unique_id?: string;
}

export const paymentList = listQuery<PaymentFilters>({
  order_id: { type: 'string' },
  unique_id: { type: 'string' },
});

/** The methods that a request allows; all that the currency has when it does not say. */
export const methodsOf = (given: IntentCreate['methods_allowed'], currency: Currency): Method[] => {
  const all: Method[] = currency === 'eur' ? ['card', 'sepa'] : ['card'];
  if (given === undefined || given === null) return all;
  const named = typeof given === 'string' ? given.split(',').map((name) => name.trim()) : given;
  return (['card', 'sepa'] as const).filter((method) => named.includes(method));
};
