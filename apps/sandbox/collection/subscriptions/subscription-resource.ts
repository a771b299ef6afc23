import type { Instant } from '#kernel';
import {
  answer,
  described,
  idOf,
  input,
  INTEGER,
  listOf,
  oneOf,
  shape,
} from '../../api/answers.js';
import { answered, CREATED, DELETED, field } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import { optionalReference, reference, valueOf } from '../../api/values.js';
import { mutable } from '../../storage/table.js';
import { subscriptionMachine } from './subscription-states.js';

export interface SubscriptionItem {
  /** The id of a price. */
  readonly price: string;
  readonly quantity: number;
}

const PRICE = described('The price to pay.', idOf('price'));
const quantity = (more: object) =>
  described('The quantity.', shape<number>({ ...INTEGER, minimum: 1, ...more }));

const ITEMS = shape<readonly SubscriptionItem[]>({
  type: 'array',
  minItems: 1,
  maxItems: 20,
  items: input({ price: PRICE, quantity: quantity({ maximum: 1_000_000, default: 1 }) }, ['price']),
});

/** Subscriptions in the payment API. See docs/provider/payments-completion.md#resources. */
export const SUBSCRIPTIONS = resource(
  {
    prefix: 'sub',
    title: 'Subscription',
    about: 'Recurring payments of a customer.',
    table: 'subscriptions',
    key: 'su',
    removed: 'object',
    create: { conflict: 'The bank account has no signed mandate.' },
    patch: { conflict: 'The subscription is canceled, or the bank account has no signed mandate.' },
  },
  {
    created: CREATED,
    deleted: DELETED,
    status: answered('The status of the subscription.', oneOf(subscriptionMachine.states), {
      mutable: true,
    }),
    customer: field('The customer who pays.', reference('cust'), {
      column: 'customer_id',
      only: 'create',
      required: true,
    }),
    items: field(
      'The prices and quantities.',
      valueOf(listOf(answer({ price: PRICE, quantity: quantity({}) })), ITEMS),
      {
        required: true,
        from: (items: readonly SubscriptionItem[]) =>
          items.map((item) => ({
            price: item.price,
            quantity: item.quantity,
          })),
      },
    ),
    card: field('The card to charge.', optionalReference('card'), { column: 'card_id' }),
    sepa: field('The bank account to debit.', optionalReference('sepa'), { column: 'sepa_id' }),
    /** The current billing period. */
    period_start: mutable<Instant | null>(),
    period_end: mutable<Instant | null>(),
    /** Number of refused attempts for the current period. */
    refusals: mutable<number>(),
    /** The direct debits to check: each may still be returned, or its return is not handled yet. */
    debit_ids: mutable<readonly string[]>(),
    due_at: mutable<Instant | null>(),
  },
);

export type SubscriptionRow = StoredRow<typeof SUBSCRIPTIONS>;
export type SubscriptionCreate = CreateBody<typeof SUBSCRIPTIONS>;
/** The changeable fields of a subscription; null clears a field. */
export type SubscriptionPatch = PatchBody<typeof SUBSCRIPTIONS>;
