import { CURRENCIES, type Currency } from '#kernel';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import {
  AMOUNT, METADATA, OPTIONAL_CURRENCY, OPTIONAL_DATE, OPTIONAL_FLAG, OPTIONAL_URL,
  optionalReference, optionalText,
} from '../../api/schemas.js';
import type { Method } from '../../money/fees.js';

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
  readonly metadata?: unknown;
  readonly billing_address?: string | null;
  readonly shipping_address?: string | null;
}

const METHODS = {
  anyOf: [
    { type: 'string', pattern: '^ *(sepa|card)( *, *(sepa|card))* *$' },
    { type: 'array', items: { enum: ['sepa', 'card'] }, minItems: 1 },
    { type: 'null' },
  ],
} as const;

const PROPERTIES = {
  amount: AMOUNT,
  currency: OPTIONAL_CURRENCY,
  capture: OPTIONAL_FLAG,
  methods_allowed: METHODS,
  threeds: { enum: ['required', 'none', null] },
  description: optionalText(3, 64),
  customer: optionalReference('cust'),
  card: optionalReference('card'),
  sepa: optionalReference('sepa'),
  order_id: optionalText(1, 36),
  unique_id: optionalText(1, 36),
  return_url: OPTIONAL_URL,
  date_settlement: OPTIONAL_DATE,
  metadata: METADATA,
  billing_address: optionalReference('addr'),
  shipping_address: optionalReference('addr'),
} as const;

export const intentCreate = checkedBody<IntentCreate>({
  required: ['amount'], properties: PROPERTIES,
});

/**
 * What may be changed while nothing is authorized: null empties a field that may be empty. A card or
 * an account is an attempt to pay with it.
 */
export type IntentPatch = Partial<Omit<IntentCreate, 'amount' | 'currency' | 'capture'>> & {
  readonly amount?: number;
  readonly currency?: Currency;
  readonly capture?: boolean;
};

export const intentPatch = checkedBody<IntentPatch>({
  properties: {
    ...PROPERTIES,
    currency: { enum: CURRENCIES },
    capture: { type: 'boolean' },
    methods_allowed: { anyOf: METHODS.anyOf.slice(0, 2) },
  },
});

interface IntentFilters {
  readonly order_id?: string;
  readonly unique_id?: string;
  readonly card?: string;
  readonly sepa?: string;
  /** Of the customer that the intent names. */
  readonly external_id?: string;
}

export const intentList = listQuery<IntentFilters>({
  order_id: { type: 'string' },
  unique_id: { type: 'string' },
  card: { type: 'string' },
  sepa: { type: 'string' },
  external_id: { type: 'string' },
});

/** The methods that a request allows; all that the currency has when it does not say. */
export const methodsOf = (given: IntentCreate['methods_allowed'], currency: Currency): Method[] => {
  const all: Method[] = currency === 'eur' ? ['card', 'sepa'] : ['card'];
  if (given === undefined || given === null) return all;
  const named = typeof given === 'string' ? given.split(',').map((name) => name.trim()) : given;
  return (['card', 'sepa'] as const).filter((method) => named.includes(method));
};
