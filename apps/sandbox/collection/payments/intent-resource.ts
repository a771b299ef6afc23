import { ADDRESS, idOrNull, listOf, oneOf, shape } from '../../api/answers.js';
import { answered, computed, CREATED, field, filter } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import {
  AMOUNT,
  METADATA,
  OPTIONAL_CURRENCY,
  OPTIONAL_DATE,
  OPTIONAL_FLAG,
  OPTIONAL_URL,
  optionalReference,
  optionalText,
  valueOf,
} from '../../api/values.js';
import { fixed } from '../../storage/table.js';
import type { Method } from '../../money/fees.js';
import { intentMachine } from './states.js';

const TAKEN_METHODS = [
  { type: 'string', pattern: '^ *(sepa|card)( *, *(sepa|card))* *$' },
  { type: 'array', items: { enum: ['sepa', 'card'] }, minItems: 1 },
];
const METHODS = {
  ...valueOf(
    listOf(oneOf<Method>(['card', 'sepa'])),
    shape<string | readonly Method[] | null>({ anyOf: [...TAKEN_METHODS, { type: 'null' }] }),
  ),
  change: shape<string | readonly Method[]>({ anyOf: TAKEN_METHODS }),
};
const THREEDS = oneOf(['required', 'none', null]);

/** Payment intents in the payment API. See docs/provider/payments-completion.md#resources. */
export const INTENTS = resource(
  {
    prefix: 'pi',
    title: 'PaymentIntent',
    about: 'A payment request, paid on the hosted page at `url`.',
    table: 'payment_intents',
    key: 'in',
    jsonColumns: ['metadata'],
    create: { conflict: '`unique_id` is used by another payment or payment intent.' },
    patch: {
      conflict:
        'The intent is authorized or has ended, or the card or bank account cannot be used.',
    },
  },
  {
    url: computed(
      'The URL of the hosted payment page.',
      ADDRESS,
      (row: { id: string }, baseUrl: string) => `${baseUrl}/pay/${row.id}`,
    ),
    status: answered('The status of the intent.', oneOf(intentMachine.states), { mutable: true }),
    created_at: CREATED,
    amount: field('The amount to pay, in minor units.', AMOUNT, { required: true }),
    currency: field('The currency; `eur` by default.', OPTIONAL_CURRENCY),
    capture: field(
      'Whether an approved card payment is captured automatically; otherwise it is only authorized.',
      OPTIONAL_FLAG,
    ),
    methods_allowed: field('The allowed payment methods.', METHODS, {
      asked: 'A list, or a comma-separated text. Default: all methods of the currency.',
    }),
    threeds: field(
      'Whether the payer authenticates; null: the bank decides.',
      valueOf(THREEDS, THREEDS),
    ),
    description: field('The description shown to the payer.', optionalText(3, 64)),
    customer: field('The payer.', optionalReference('cust'), { column: 'customer_id' }),
    card: field('The card to pay with.', optionalReference('card'), {
      column: 'card_id',
      filter: true,
    }),
    sepa: field('The bank account to debit.', optionalReference('sepa'), {
      column: 'sepa_id',
      filter: true,
    }),
    order_id: field('The merchant’s reference.', optionalText(1, 36), { filter: true }),
    unique_id: field(
      'A reference that is unique among the payments and intents of the mode.',
      optionalText(1, 36),
      { filter: true },
    ),
    return_url: field('The URL the payer returns to after paying.', OPTIONAL_URL),
    date_settlement: field('The requested settlement date, YYYY-MM-DD.', OPTIONAL_DATE),
    metadata: field('The merchant’s metadata, returned unchanged.', METADATA),
    billing_address: field('The billing address.', optionalReference('addr')),
    shipping_address: field('The shipping address.', optionalReference('addr')),
    payment: answered('The latest payment attempt.', idOrNull('paym'), {
      column: 'payment_id',
      mutable: true,
    }),
    external_id: filter('The `external_id` of the intent’s customer.'),
    /**
     * True for the hidden intent of a payment created in one call (`POST /v2/payments`): its row
     * only holds the payment's lock and state. Such an intent is never returned, listed or found,
     * and its payment refers to no intent.
     */
    single_call: fixed<boolean>(),
  },
);

export type IntentRow = StoredRow<typeof INTENTS>;
/** The body of `POST /v2/payment_intents`; null is the same as omitting a field. */
export type IntentCreate = CreateBody<typeof INTENTS>;
/**
 * The fields of an intent that may change while nothing is authorized; null clears an optional
 * field. A PATCH that contains a card or a bank account also starts a payment attempt.
 */
export type IntentPatch = PatchBody<typeof INTENTS>;
