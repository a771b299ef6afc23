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
import { epochSeconds, type FieldReader, id, inner, optional, shape } from './wire-shape.js';

/**
 * The HTTP formats of the payment API, with the API's own names and values. Unknown fields are
 * dropped. Unknown statuses stay unchanged here; the code that maps the response to our words
 * handles them. The payer's name, email, phone and addresses are dropped, too, so that they cannot be
 * logged or stored. Of a card or bank account only the fields that an event may contain are kept.
 */

/**
 * The fields of a new intent; `amount` in minor units, `order_id` and `unique_id` with 1 to 36
 * characters.
 */
export interface CreateIntentBody {
  readonly amount: number;
  readonly currency: string;
  readonly capture: boolean;
  readonly order_id: string;
  readonly unique_id: string;
  /** The allowed payment methods, separated by commas. */
  readonly methods_allowed: string;
  readonly description?: string;
  readonly return_url?: string;
}

/** `amount` in minor units, `created_at` in epoch seconds; `payment` is the latest attempt. */
export const decodePaymentIntent = shape('payment intent', {
  id: id('pi'),
  status: text,
  amount: wholeNumber,
  currency: textOrNull,
  url: text,
  created_at: wholeNumber,
  order_id: textOrNull,
  unique_id: textOrNull,
  payment: optional(id('paym')),
});

export type WirePaymentIntent = ReturnType<typeof decodePaymentIntent>;

const BRAND = /^[a-z][a-z -]{0,29}$/i;
const COUNTRY = /^[A-Z]{2}$/;

/**
 * Reads a detail of the payer's payment method; null if it has any other format. A malformed detail
 * must not prevent the reading of the payment. It must not be recorded either, because it could be
 * a complete card or account number.
 */
const detail =
  (form: RegExp): FieldReader<string | null> =>
  (fields, name) => {
    const value = fields[name];
    return typeof value === 'string' && form.test(value) ? value : null;
  };

const card = shape('card', {
  brand: detail(BRAND),
  last4: detail(/^\d{4}$/),
  country: detail(COUNTRY),
});

const sepa = shape('sepa', { id: id('sepa'), last4: detail(/^[A-Z0-9]{4}$/) });

const auth = shape('auth', { status: detail(/^[a-z]{1,30}$/) });

/** Reads an object by `decode`; a value of any other type becomes null. */
const details =
  <T>(decode: (value: unknown) => T): FieldReader<T | null> =>
  (fields, name) => {
    const value = fields[name];
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? decode(value)
      : null;
  };

/**
 * An attempt. `status` is null until the bank has responded, and `response` is the bank's code.
 * `amount` and `fee` in minor units, `created` in epoch seconds.
 */
export const decodePayment = shape('payment', {
  id: id('paym'),
  status: textOrNull,
  amount: wholeNumber,
  currency: text,
  created: epochSeconds,
  response: textOrNull,
  method: textOrNull,
  auth: details(auth),
  card: details(card),
  sepa: optional(inner(sepa)),
  payment_intent: optional(id('pi')),
  order_id: textOrNull,
  unique_id: textOrNull,
  fee: wholeNumberOrNull,
});

export type WirePayment = ReturnType<typeof decodePayment>;

/** `amount` in minor units, `created` in epoch seconds. */
export const decodeRefund = shape('refund', {
  id: id('refd'),
  amount: wholeNumber,
  currency: text,
  payment: id('paym'),
  created: epochSeconds,
  status: text,
});

export type WireRefund = ReturnType<typeof decodeRefund>;

/**
 * `amount` and `fee` in minor units, `created` in epoch seconds; `response` is the bank's reason
 * code.
 */
export const decodeDispute = shape('dispute', {
  id: id('dspt'),
  amount: wholeNumber,
  currency: text,
  payment: id('paym'),
  created: epochSeconds,
  response: text,
  fee: wholeNumber,
  type: text,
  status: text,
});

export type WireDispute = ReturnType<typeof decodeDispute>;

/**
 * A dispute in a payout. Its amount is negative if the payout returns the amount because the
 * dispute was won.
 */
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

/** A webhook endpoint; `secret` verifies its webhooks. */
export const decodeWebhookEndpoint = shape('webhook endpoint', {
  id: id('we'),
  url: text,
  enabled: (fields, name) => flagOrNull(fields, name) !== false,
  secret: hexadecimal,
});

/**
 * Decodes a list, which is an object with the field `range` and a field with the items, named by
 * the plural of the objects. A list within another object may also be a plain array, which is
 * complete (docs/provider/payments-completion.md#resources).
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
