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

/** docs/provider/payments-completion.md#resources. */
export const INTENTS = resource(
  {
    prefix: 'pi',
    title: 'PaymentIntent',
    about: 'What a payer is asked to pay, on the hosted page at `url`.',
    table: 'payment_intents',
    key: 'in',
    create: { conflict: '`unique_id` is used by another payment or payment intent.' },
    patch: { conflict: 'Something is authorized, or the card or the account cannot pay.' },
  },
  {
    url: computed(
      'The address of its payment page.',
      ADDRESS,
      (row: { id: string }, baseUrl: string) => `${baseUrl}/pay/${row.id}`,
    ),
    status: answered('Its state.', oneOf(intentMachine.states), { mutable: true }),
    created_at: CREATED,
    amount: field('What is to be paid, in minor units.', AMOUNT, { required: true }),
    currency: field('Its currency; `eur` where none is given.', OPTIONAL_CURRENCY),
    capture: field(
      'Whether an approved card payment is captured by itself; if not, it is only authorized.',
      OPTIONAL_FLAG,
    ),
    methods_allowed: field('How the payer may pay.', METHODS, {
      asked: 'A list, or a text with commas. Not given: all that the currency has.',
    }),
    threeds: field(
      'Whether the payer proves who they are; null: as the bank decides.',
      valueOf(THREEDS, THREEDS),
    ),
    description: field('What is paid for, as the payer is shown it.', optionalText(3, 64)),
    customer: field('The payer.', optionalReference('cust'), { column: 'customer_id' }),
    card: field('The card to pay with.', optionalReference('card'), {
      column: 'card_id',
      filter: true,
    }),
    sepa: field('The account to debit.', optionalReference('sepa'), {
      column: 'sepa_id',
      filter: true,
    }),
    order_id: field('The merchant’s reference.', optionalText(1, 36), { filter: true }),
    unique_id: field(
      'A reference that no other payment or intent of the mode has.',
      optionalText(1, 36),
      { filter: true },
    ),
    return_url: field('Where the payer goes after paying.', OPTIONAL_URL),
    date_settlement: field('When it is to be settled, YYYY-MM-DD.', OPTIONAL_DATE),
    metadata: field('The merchant’s own data, as it was given.', METADATA),
    billing_address: field('Where the invoice goes.', optionalReference('addr')),
    shipping_address: field('Where the goods go.', optionalReference('addr')),
    payment: answered('The latest attempt to pay it.', idOrNull('paym'), {
      column: 'payment_id',
      mutable: true,
    }),
    external_id: filter('The `external_id` of the customer that the intent names.'),
    /**
     * Made with a payment by one call (`POST /v2/payments`), only to hold its lock and state: it is
     * not answered, not listed and not found, and its payment names no intent.
     */
    single_call: fixed<boolean>(),
  },
);

export type IntentRow = StoredRow<typeof INTENTS>;
/** What the body of `POST /v2/payment_intents` holds; null is the same as not given. */
export type IntentCreate = CreateBody<typeof INTENTS>;
/**
 * What may be changed while nothing is authorized: null empties a field that may be empty. A card or
 * an account is an attempt to pay with it.
 */
export type IntentPatch = PatchBody<typeof INTENTS>;
