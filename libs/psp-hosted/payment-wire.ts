import {
  fieldsOf, flagOrNull, idOf, idOrNull, itemsOf, MalformedWire, objectOrNull, signedNumber,
  text, textOrNull, wholeNumber, wholeNumberOrNull,
} from './wire-decode.js';

/*
 * The payment API's HTTP shapes, by their own names and without meaning. Fields we do not know are
 * left out, statuses we do not know stay as they are: what they mean is the reader's to decide.
 * Also left out, so that they get nowhere by accident: the payer's name, email, phone, addresses.
 */

/** `amount` in minor units, `created_at` in epoch seconds; `payment` is the latest attempt. */
export interface WirePaymentIntent {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string | null;
  readonly capture: boolean | null;
  readonly url: string;
  readonly created_at: number;
  readonly order_id: string | null;
  readonly unique_id: string | null;
  readonly customer: string | null;
  readonly payment: string | null;
  readonly methods_allowed: readonly string[] | null;
  readonly threeds: string | null;
  readonly return_url: string | null;
}

export interface WireCard {
  readonly id: string;
  readonly brand: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly country: string | null;
  readonly funding: string | null;
  readonly network: string | null;
}

export interface WireSepa {
  readonly id: string;
  readonly last4: string;
  readonly mandate: string | null;
}

/** Our reference only; who the customer is stays with the provider. */
export interface WireCustomer {
  readonly id: string;
  readonly external_id: string | null;
  readonly deleted: boolean | null;
}

export interface WireAuth {
  readonly status: string | null;
  readonly redirect_url: string | null;
  readonly return_url: string | null;
}

/**
 * An attempt. `status` is null until the bank has answered, `response` is its code; `amount` and
 * `fee` in minor units, `created` in epoch seconds, `date_…` as `YYYY-MM-DD`.
 */
export interface WirePayment {
  readonly id: string;
  readonly status: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly response: string | null;
  readonly auth: WireAuth | null;
  readonly method: string | null;
  readonly card: WireCard | null;
  readonly sepa: WireSepa | null;
  readonly customer: WireCustomer | null;
  readonly payment_intent: string | null;
  readonly order_id: string | null;
  readonly unique_id: string | null;
  readonly capture: boolean | null;
  readonly fee: number | null;
  readonly payout: string | null;
  readonly date_settlement: string | null;
  readonly date_bank: string | null;
}

/** `amount` in minor units, `created` in epoch seconds. */
export interface WireRefund {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment: string;
  readonly created: number;
  readonly status: string;
  readonly payout: string | null;
}

/** `amount` and `fee` in minor units, `created` in epoch seconds; `response` is the reason. */
export interface WireDispute {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment: string;
  readonly created: number;
  readonly response: string;
  readonly fee: number;
  readonly type: string;
  readonly status: string;
  readonly payout: string | null;
}

export interface WireWebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  /** Hexadecimal; verifies what the endpoint receives. Secret. */
  readonly secret: string;
}

/** A page of a list, newest first. */
export interface WireList<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

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
  (typeof value === 'string' ? value.split(',') : itemsOf(value, 'methods_allowed')).map(
    (method) => text({ methods_allowed: method }, 'methods_allowed').trim(),
  );

export const decodePaymentIntent = (value: unknown): WirePaymentIntent => {
  const fields = fieldsOf(value, 'payment intent');
  return {
    id: idOf(fields, 'id', 'pi'),
    status: text(fields, 'status'),
    amount: wholeNumber(fields, 'amount'),
    currency: textOrNull(fields, 'currency'),
    capture: flagOrNull(fields, 'capture'),
    url: text(fields, 'url'),
    created_at: wholeNumber(fields, 'created_at'),
    order_id: textOrNull(fields, 'order_id'),
    unique_id: textOrNull(fields, 'unique_id'),
    customer: idOrNull(fields, 'customer', 'cust'),
    payment: idOrNull(fields, 'payment', 'paym'),
    methods_allowed: objectOrNull(fields, 'methods_allowed', methodsOf),
    threeds: textOrNull(fields, 'threeds'),
    return_url: textOrNull(fields, 'return_url'),
  };
};

const decodeCard = (value: unknown): WireCard => {
  const fields = fieldsOf(value, 'card');
  return {
    id: idOf(fields, 'id', 'card'),
    brand: text(fields, 'brand'),
    last4: text(fields, 'last4'),
    exp_month: wholeNumber(fields, 'exp_month'),
    exp_year: wholeNumber(fields, 'exp_year'),
    country: textOrNull(fields, 'country'),
    funding: textOrNull(fields, 'funding'),
    network: textOrNull(fields, 'network'),
  };
};

const decodeSepa = (value: unknown): WireSepa => {
  const fields = fieldsOf(value, 'sepa');
  return {
    id: idOf(fields, 'id', 'sepa'),
    last4: text(fields, 'last4'),
    mandate: textOrNull(fields, 'mandate'),
  };
};

const decodeCustomer = (value: unknown): WireCustomer => {
  const fields = fieldsOf(value, 'customer');
  return {
    id: idOf(fields, 'id', 'cust'),
    external_id: textOrNull(fields, 'external_id'),
    deleted: flagOrNull(fields, 'deleted'),
  };
};

const decodeAuth = (value: unknown): WireAuth => {
  const fields = fieldsOf(value, 'auth');
  return {
    status: textOrNull(fields, 'status'),
    redirect_url: textOrNull(fields, 'redirect_url'),
    return_url: textOrNull(fields, 'return_url'),
  };
};

export const decodePayment = (value: unknown): WirePayment => {
  const fields = fieldsOf(value, 'payment');
  return {
    id: idOf(fields, 'id', 'paym'),
    status: textOrNull(fields, 'status'),
    amount: wholeNumber(fields, 'amount'),
    currency: text(fields, 'currency'),
    created: wholeNumber(fields, 'created'),
    response: textOrNull(fields, 'response'),
    auth: objectOrNull(fields, 'auth', decodeAuth),
    method: textOrNull(fields, 'method'),
    card: objectOrNull(fields, 'card', decodeCard),
    sepa: objectOrNull(fields, 'sepa', decodeSepa),
    customer: objectOrNull(fields, 'customer', decodeCustomer),
    payment_intent: idOrNull(fields, 'payment_intent', 'pi'),
    order_id: textOrNull(fields, 'order_id'),
    unique_id: textOrNull(fields, 'unique_id'),
    capture: flagOrNull(fields, 'capture'),
    fee: wholeNumberOrNull(fields, 'fee'),
    payout: idOrNull(fields, 'payout', 'pout'),
    date_settlement: textOrNull(fields, 'date_settlement'),
    date_bank: textOrNull(fields, 'date_bank'),
  };
};

export const decodeRefund = (value: unknown): WireRefund => {
  const fields = fieldsOf(value, 'refund');
  return {
    id: idOf(fields, 'id', 'refd'),
    amount: wholeNumber(fields, 'amount'),
    currency: text(fields, 'currency'),
    payment: idOf(fields, 'payment', 'paym'),
    created: wholeNumber(fields, 'created'),
    status: text(fields, 'status'),
    payout: idOrNull(fields, 'payout', 'pout'),
  };
};

export const decodeDispute = (value: unknown): WireDispute => {
  const fields = fieldsOf(value, 'dispute');
  return {
    id: idOf(fields, 'id', 'dspt'),
    amount: wholeNumber(fields, 'amount'),
    currency: text(fields, 'currency'),
    payment: idOf(fields, 'payment', 'paym'),
    created: wholeNumber(fields, 'created'),
    response: text(fields, 'response'),
    fee: wholeNumber(fields, 'fee'),
    type: text(fields, 'type'),
    status: text(fields, 'status'),
    payout: idOrNull(fields, 'payout', 'pout'),
  };
};

/** A payout's line: its amount is negative where the payout gives it back, as it was won. */
export const decodeDisputeLine = (value: unknown): WireDispute => {
  const fields = fieldsOf(value, 'dispute');
  const amount = signedNumber(fields, 'amount');
  return { ...decodeDispute({ ...fields, amount: Math.abs(amount) }), amount };
};

export const decodeWebhookEndpoint = (value: unknown): WireWebhookEndpoint => {
  const fields = fieldsOf(value, 'webhook endpoint');
  const secret = text(fields, 'secret');
  if (!/^(?:[0-9a-f]{2})+$/i.test(secret)) throw new MalformedWire('secret must be hexadecimal');
  return {
    id: idOf(fields, 'id', 'we'),
    url: text(fields, 'url'),
    enabled: flagOrNull(fields, 'enabled') !== false,
    secret,
  };
};

/**
 * A list under its plural name with its `range`. The lists inside an object may be bare arrays
 * (docs/provider/payments-completion.md#resources): such a one is taken as complete.
 */
export const decodeList =
  <T>(plural: string, decodeItem: (value: unknown) => T) =>
  (value: unknown): WireList<T> => {
    if (Array.isArray(value)) return { items: value.map(decodeItem), hasMore: false };
    const fields = fieldsOf(value, 'list');
    const range = fieldsOf(fields['range'], 'range');
    return {
      items: itemsOf(fields[plural], plural).map(decodeItem),
      hasMore: flagOrNull(range, 'has_more') ?? false,
    };
  };
