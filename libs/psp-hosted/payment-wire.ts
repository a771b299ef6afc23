import type { Page } from '#psp';
import {
  fieldsOf,
  flagOrNull,
  itemsOf,
  MalformedWire,
  signedNumber,
  text,
  textOrNull,
  wholeNumber,
  wholeNumberOrNull,
} from './wire-decode.js';
import { type FieldReader, id, inner, optional, shape } from './wire-shape.js';

/*
 * The payment API's HTTP shapes, by their own names and without meaning. Fields we do not know are
 * left out, statuses we do not know stay as they are: what they mean is the reader's to decide.
 * Also left out, so that they get nowhere by accident: the payer's name, email, phone, addresses.
 */

/** What creates an intent; `amount` in minor units, `order_id` and `unique_id` 1 to 36 long. */
export interface CreateIntentBody {
  readonly amount: number;
  readonly currency: string;
  readonly capture: boolean;
  readonly order_id: string;
  readonly unique_id: string;
  /** Separated by commas. */
  readonly methods_allowed?: string;
  readonly threeds?: 'required' | 'none';
  readonly description?: string;
  readonly return_url?: string;
  readonly customer?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The API takes a comma-separated text or an array, so an answer may show either. */
const methodsOf = (value: unknown): readonly string[] =>
  (typeof value === 'string' ? value.split(',') : itemsOf(value, 'methods_allowed')).map((method) =>
    text({ methods_allowed: method }, 'methods_allowed').trim(),
  );

/** `amount` in minor units, `created_at` in epoch seconds; `payment` is the latest attempt. */
export const decodePaymentIntent = shape('payment intent', {
  id: id('pi'),
  status: text,
  amount: wholeNumber,
  currency: textOrNull,
  capture: flagOrNull,
  url: text,
  created_at: wholeNumber,
  order_id: textOrNull,
  unique_id: textOrNull,
  customer: optional(id('cust')),
  payment: optional(id('paym')),
  methods_allowed: optional(inner(methodsOf)),
  threeds: textOrNull,
  return_url: textOrNull,
});

export type WirePaymentIntent = ReturnType<typeof decodePaymentIntent>;

const card = shape('card', {
  id: id('card'),
  brand: text,
  last4: text,
  exp_month: wholeNumber,
  exp_year: wholeNumber,
  country: textOrNull,
  funding: textOrNull,
  network: textOrNull,
});

const sepa = shape('sepa', { id: id('sepa'), last4: text, mandate: textOrNull });

/** Our reference only; who the customer is stays with the provider. */
const customer = shape('customer', {
  id: id('cust'),
  external_id: textOrNull,
  deleted: flagOrNull,
});

const auth = shape('auth', {
  status: textOrNull,
  redirect_url: textOrNull,
  return_url: textOrNull,
});

/**
 * An attempt. `status` is null until the bank has answered, `response` is its code; `amount` and
 * `fee` in minor units, `created` in epoch seconds, `date_…` as `YYYY-MM-DD`.
 */
export const decodePayment = shape('payment', {
  id: id('paym'),
  status: textOrNull,
  amount: wholeNumber,
  currency: text,
  created: wholeNumber,
  response: textOrNull,
  auth: optional(inner(auth)),
  method: textOrNull,
  card: optional(inner(card)),
  sepa: optional(inner(sepa)),
  customer: optional(inner(customer)),
  payment_intent: optional(id('pi')),
  order_id: textOrNull,
  unique_id: textOrNull,
  capture: flagOrNull,
  fee: wholeNumberOrNull,
  payout: optional(id('pout')),
  date_settlement: textOrNull,
  date_bank: textOrNull,
});

export type WirePayment = ReturnType<typeof decodePayment>;

/** `amount` in minor units, `created` in epoch seconds. */
export const decodeRefund = shape('refund', {
  id: id('refd'),
  amount: wholeNumber,
  currency: text,
  payment: id('paym'),
  created: wholeNumber,
  status: text,
  payout: optional(id('pout')),
});

export type WireRefund = ReturnType<typeof decodeRefund>;

/** `amount` and `fee` in minor units, `created` in epoch seconds; `response` is the reason. */
export const decodeDispute = shape('dispute', {
  id: id('dspt'),
  amount: wholeNumber,
  currency: text,
  payment: id('paym'),
  created: wholeNumber,
  response: text,
  fee: wholeNumber,
  type: text,
  status: text,
  payout: optional(id('pout')),
});

export type WireDispute = ReturnType<typeof decodeDispute>;

/** A payout's line: its amount is negative where the payout gives it back, as it was won. */
export const decodeDisputeLine = (value: unknown): WireDispute => {
  const fields = fieldsOf(value, 'dispute');
  const amount = signedNumber(fields, 'amount');
  return { ...decodeDispute({ ...fields, amount: Math.abs(amount) }), amount };
};

const hexadecimal: FieldReader<string> = (fields, name) => {
  const value = text(fields, name);
  if (/^(?:[0-9a-f]{2})+$/i.test(value)) return value;
  throw new MalformedWire(`${name} must be hexadecimal`);
};

/** `secret` verifies what the endpoint receives. */
export const decodeWebhookEndpoint = shape('webhook endpoint', {
  id: id('we'),
  url: text,
  enabled: (fields, name) => flagOrNull(fields, name) !== false,
  secret: hexadecimal,
});

/**
 * A list under its plural name with its `range`. The lists inside an object may be bare arrays
 * (docs/provider/payments-completion.md#resources): such a one is taken as complete.
 */
export const decodeList =
  <T>(plural: string, decodeItem: (value: unknown) => T) =>
  (value: unknown): Page<T> => {
    if (Array.isArray(value)) return { items: value.map(decodeItem), hasMore: false };
    const fields = fieldsOf(value, 'list');
    const range = fieldsOf(fields['range'], 'range');
    return {
      items: itemsOf(fields[plural], plural).map(decodeItem),
      hasMore: flagOrNull(range, 'has_more') ?? false,
    };
  };
