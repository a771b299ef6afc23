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

/** The bank's answer is a card's response code, or the reason of a direct debit's refusal. */
const RESPONSES = [...Object.keys(RESPONSE_CODES), ...Object.keys(SEPA_DISPUTE_CODES)];

const AUTH = answer({
  status: described('Its state.', oneOf(authMachine.states)),
  redirect_url: described('Where the payer proves who they are: the bank’s page.', ADDRESS_OR_NULL),
  return_url: described('Where the payer comes back to.', TEXT_OR_NULL),
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
    input({ return_url: described('Where the payer comes back to.', OPTIONAL_URL.in) }),
  ],
});

const NONE = { type: 'null' };
const CARD_TAKEN = shape<string | CardCreate | null>({
  anyOf: [idOf('card'), CARDS.create.schema, NONE],
});
const SEPA_TAKEN = shape<string | SepaCreate | null>({
  anyOf: [idOf('sepa'), SEPA.create.schema, NONE],
});

/** docs/provider/payments-completion.md#resources. */
export const PAYMENTS = resource(
  {
    prefix: 'paym',
    title: 'Payment',
    about: 'One attempt to pay, by the page or by a single call.',
    table: 'payments',
    key: 'pa',
    numbers: ['card.number', 'sepa.iban'],
    create: {
      conflict:
        '`unique_id` is used by another payment or payment intent. ' +
        'Or the account has no signed mandate.',
    },
  },
  {
    amount: field('What is paid, in minor units.', AMOUNT, { only: 'create', required: true }),
    currency: field('Its currency; `eur` where none is given.', OPTIONAL_CURRENCY, {
      only: 'create',
    }),
    created: CREATED,
    status: answered(
      'Its state; null until the bank has answered.',
      oneOf([...paymentMachine.states.map(answeredStatus).filter((one) => one !== null), null]),
      { mutable: true, from: answeredStatus },
    ),
    response: answered('The bank’s response code.', oneOf([...RESPONSES, null]), { mutable: true }),
    auth: {
      ...asked('How the payer proves who they are; null where no bank asks for it.', AUTH_TAKEN, {
        only: 'create',
        asked: 'Whether they are sent to the bank, and where they come back to.',
      }),
      ...computed(
        'How the payer proves who they are; null where no bank asks for it.',
        orNull(AUTH),
        authOf,
      ),
    },
    method: answered('How it is paid.', oneOf<Method>(['card', 'sepa'])),
    card: {
      ...asked('The card that pays.', CARD_TAKEN, {
        only: 'create',
        asked: 'Its id, or the card itself. Either a card or an account.',
      }),
      ...computed(
        'The card that pays.',
        orNull(CARDS.answer),
        ({ card }: { card: CardRow | null }) => (card === null ? null : CARDS.wire(card)),
      ),
    },
    sepa: {
      ...asked('The account that is debited.', SEPA_TAKEN, {
        only: 'create',
        asked: 'Its id, or the account itself.',
      }),
      ...computed(
        'The account that is debited.',
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
      'What it pays; null for a payment made in a single call.',
      idOrNull('pi'),
      (row: { single_call: boolean; intent_id: string }) =>
        row.single_call ? null : row.intent_id,
    ),
    order_id: field('The merchant’s reference.', optionalText(1, 36), { filter: true }),
    unique_id: field(
      'A reference that no other payment or intent of the mode has.',
      optionalText(1, 36),
      { only: 'create', filter: true },
    ),
    description: field('What is paid for, as the payer is shown it.', optionalText(3, 64)),
    capture: field('Whether it is captured by itself once it is authorized.', OPTIONAL_FLAG, {
      only: 'create',
    }),
    fee: answered(
      'What it costs the merchant, in minor units; null until it is captured.',
      shape<number | null>({ type: ['integer', 'null'], minimum: 0 }),
      { mutable: true },
    ),
    payout: answered('The payout that it is in; null before there is one.', idOrNull('pout'), {
      column: 'payout_id',
      mutable: true,
      filter: true,
    }),
    date_settlement: answered('When it is to be settled, YYYY-MM-DD.', DATE_OR_NULL),
    date_bank: answered('The day that it was cleared, YYYY-MM-DD.', DATE_OR_NULL, {
      mutable: true,
    }),
    /** Every payment has one, whose row is its lock; that of a single call is not answered. */
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
    authorized_at: mutable<Instant | null>(),
    captured_at: mutable<Instant | null>(),
    /** Until then the browser's confirmation counts; null when none is awaited. */
    confirm_until: mutable<Instant | null>(),
    due_at: mutable<Instant | null>(),
  },
);

export type PaymentRow = StoredRow<typeof PAYMENTS>;

/** A payment as it is answered: with the objects it refers to. */
export interface FullPayment extends PaymentRow {
  readonly card: CardRow | null;
  readonly sepa: SepaRow | null;
  readonly customer: CustomerRow | null;
}

/** What the body of `POST /v2/payments` holds; null is the same as not given. */
export type PaymentCreate = CreateBody<typeof PAYMENTS>;
/** What may be changed of a payment, wherever it stands. */
export type PaymentPatch = PatchBody<typeof PAYMENTS>;
