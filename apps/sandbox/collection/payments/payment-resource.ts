import type { Instant } from '#kernel';
import {
  ADDRESS_OR_NULL,
  answer,
  DATE_OR_NULL,
  described,
  idOf,
  idOrNull,
  input,
  oneOf,
  orNull,
  shape,
  TEXT_OR_NULL,
} from '../../api/answers.js';
import { answered, asked, computed, CREATED, field } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import {
  AMOUNT,
  OPTIONAL_CURRENCY,
  OPTIONAL_FLAG,
  OPTIONAL_URL,
  optionalReference,
  optionalText,
} from '../../api/values.js';
import { fixed, mutable } from '../../storage/table.js';
import type { Method } from '../../money/fees.js';
import { SEPA_DISPUTE_CODES } from '../banks/dispute-codes.js';
import { RESPONSE_CODES } from '../banks/response-codes.js';
import { type CardCreate, type CardRow, CARDS } from '../cards/card-resource.js';
import { type CustomerRow, CUSTOMERS } from '../customers/customer-resource.js';
import { SEPA, type SepaCreate, type SepaRow } from '../sepa/sepa-resource.js';
import { authMachine, type AuthStatus, paymentMachine, type PaymentStatus } from './states.js';

type AnsweredStatus = Exclude<PaymentStatus, 'awaiting_bank'> | null;

const answeredStatus = (status: PaymentStatus): AnsweredStatus =>
  status === 'awaiting_bank' ? null : status;

/** The bank's response: a card's response code, or the reason of a refused direct debit. */
const RESPONSES = [...Object.keys(RESPONSE_CODES), ...Object.keys(SEPA_DISPUTE_CODES)];

const AUTH = answer({
  status: described('The status of the authentication.', oneOf(authMachine.states)),
  redirect_url: described('The bank’s page, where the payer authenticates.', ADDRESS_OR_NULL),
  return_url: described('The URL the payer returns to.', TEXT_OR_NULL),
});

interface AuthColumns {
  readonly auth_status: AuthStatus | null;
  readonly auth_session_id: string | null;
  readonly auth_return_url: string | null;
}

const authOf = (row: AuthColumns, baseUrl: string) => {
  if (row.auth_status === null) return null;
  const session = row.auth_session_id;
  return {
    status: row.auth_status,
    redirect_url: session === null ? null : `${baseUrl}/bank/${session}`,
    return_url: row.auth_return_url,
  };
};

const AUTH_TAKEN = shape<boolean | { readonly return_url?: string | null } | null>({
  anyOf: [
    { type: ['boolean', 'null'] },
    input({ return_url: described('The URL the payer returns to.', OPTIONAL_URL.in) }),
  ],
});

const NONE = { type: 'null' };
const CARD_TAKEN = shape<string | CardCreate | null>({
  anyOf: [idOf('card'), CARDS.create.schema, NONE],
});
const SEPA_TAKEN = shape<string | SepaCreate | null>({
  anyOf: [idOf('sepa'), SEPA.create.schema, NONE],
});

/** Payments in the payment API. See docs/provider/payments-completion.md#resources. */
export const PAYMENTS = resource(
  {
    prefix: 'paym',
    title: 'Payment',
    about: 'One payment attempt, made on the payment page or created in one call of the API.',
    table: 'payments',
    key: 'pa',
    jsonColumns: [],
    numbers: ['card.number', 'sepa.iban'],
    create: {
      conflict:
        '`unique_id` is used by another payment or payment intent, ' +
        'or the bank account has no signed mandate.',
    },
  },
  {
    amount: field('The amount, in minor units.', AMOUNT, { only: 'create', required: true }),
    currency: field('The currency; `eur` by default.', OPTIONAL_CURRENCY, {
      only: 'create',
    }),
    created: CREATED,
    status: answered(
      'The status of the payment; null until the bank has responded.',
      oneOf([...paymentMachine.states.map(answeredStatus).filter((one) => one !== null), null]),
      { mutable: true, from: answeredStatus },
    ),
    response: answered('The bank’s response code.', oneOf([...RESPONSES, null]), { mutable: true }),
    auth: {
      ...asked('The payer’s authentication; null when the bank requires none.', AUTH_TAKEN, {
        only: 'create',
        asked: 'Whether the payer is redirected to the bank, and the URL they return to.',
      }),
      ...computed(
        'The payer’s authentication; null when the bank requires none.',
        orNull(AUTH),
        authOf,
      ),
    },
    method: answered('The payment method.', oneOf<Method>(['card', 'sepa'])),
    card: {
      ...asked('The card that pays.', CARD_TAKEN, {
        only: 'create',
        asked: 'The id of a card, or the data of a new one. Send either `card` or `sepa`.',
      }),
      ...computed(
        'The card that pays.',
        orNull(CARDS.answer),
        ({ card }: { card: CardRow | null }) => (card === null ? null : CARDS.wire(card)),
      ),
    },
    sepa: {
      ...asked('The bank account that is debited.', SEPA_TAKEN, {
        only: 'create',
        asked: 'The id of a bank account, or the data of a new one.',
      }),
      ...computed(
        'The bank account that is debited.',
        orNull(SEPA.answer),
        ({ sepa }: { sepa: SepaRow | null }) => (sepa === null ? null : SEPA.wire(sepa)),
      ),
    },
    customer: {
      ...asked('The payer.', optionalReference('cust').in, { only: 'create' }),
      ...computed(
        'The payer.',
        orNull(CUSTOMERS.answer),
        ({ customer }: { customer: CustomerRow | null }) =>
          customer === null ? null : CUSTOMERS.wire(customer),
      ),
    },
    payment_intent: computed(
      'The payment’s intent; null for a payment created in one call.',
      idOrNull('pi'),
      (row: { single_call: boolean; intent_id: string }) =>
        row.single_call ? null : row.intent_id,
    ),
    order_id: field('The merchant’s reference.', optionalText(1, 36), { filter: true }),
    unique_id: field(
      'A reference that is unique among the payments and intents of the mode.',
      optionalText(1, 36),
      { only: 'create', filter: true },
    ),
    description: field('The description shown to the payer.', optionalText(3, 64)),
    capture: field(
      'Whether the payment is captured automatically after the authorization.',
      OPTIONAL_FLAG,
      {
        only: 'create',
      },
    ),
    fee: answered(
      'The provider’s fee, in minor units; null until the payment is captured.',
      shape<number | null>({ type: ['integer', 'null'], minimum: 0 }),
      { mutable: true },
    ),
    payout: answered(
      'The payout that contains the payment; null while no payout contains it.',
      idOrNull('pout'),
      {
        column: 'payout_id',
        mutable: true,
        filter: true,
      },
    ),
    date_settlement: answered('The requested settlement date, YYYY-MM-DD.', DATE_OR_NULL),
    date_bank: answered('The clearing date, YYYY-MM-DD.', DATE_OR_NULL, {
      mutable: true,
    }),
    /**
     * The payment's intent, whose row is locked for every change of the payment. A payment created
     * in one call has a hidden intent, which is never returned.
     */
    intent_id: fixed<string>(),
    single_call: fixed<boolean>(),
    card_id: fixed<string | null>(),
    sepa_id: fixed<string | null>(),
    mandate_id: fixed<string | null>(),
    customer_id: fixed<string | null>(),
    auth_status: mutable<AuthStatus | null>(),
    auth_session_id: fixed<string | null>(),
    auth_return_url: fixed<string | null>(),
    auth_expires_at: fixed<Instant | null>(),
    /** When the payer left the bank's page without a decision; null after the payer's return. */
    auth_left_at: mutable<Instant | null>(),
    authorized_at: mutable<Instant | null>(),
    captured_at: mutable<Instant | null>(),
    /** The deadline for the browser's confirmation; null when no confirmation is awaited. */
    confirm_until: mutable<Instant | null>(),
    due_at: mutable<Instant | null>(),
  },
);

export type PaymentRow = StoredRow<typeof PAYMENTS>;

/** A payment as returned by the API, with the objects to which the payment refers. */
export interface FullPayment extends PaymentRow {
  readonly card: CardRow | null;
  readonly sepa: SepaRow | null;
  readonly customer: CustomerRow | null;
}

/** The body of `POST /v2/payments`; null is the same as omitting a field. */
export type PaymentCreate = CreateBody<typeof PAYMENTS>;
/** The fields of a payment that may change in any status. */
export type PaymentPatch = PatchBody<typeof PAYMENTS>;
