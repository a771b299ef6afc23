import { answer, described, idOf, oneOf, pageOf, type Shape, shape } from '../../api/answers.js';
import { EVENT_TYPES, type EventType } from '../../storage/event-types.js';
import { CARDS } from '../cards/card-resource.js';
import { CUSTOMERS } from '../customers/customer-resource.js';
import { MANDATES } from '../mandates/mandate-resource.js';
import { INTENTS } from '../payments/intent-resource.js';
import { PAYMENTS } from '../payments/payment-resource.js';
import { PRICES } from '../products/price-resource.js';
import { PRODUCTS } from '../products/product-resource.js';
import { SUBSCRIPTIONS } from '../subscriptions/subscription-resource.js';

type ObjectType = EventType extends `${infer Object}.${string}` ? Object : never;

/** The resource type of an event's `data`, by the first part of the event type. */
const DATA: Readonly<Record<ObjectType, Shape>> = {
  customer: CUSTOMERS.answer,
  card: CARDS.answer,
  mandate: MANDATES.answer,
  payment_intent: INTENTS.answer,
  payment: PAYMENTS.answer,
  product: PRODUCTS.answer,
  price: PRICES.answer,
  subscription: SUBSCRIPTIONS.answer,
};

/**
 * An event as `GET /v2/events/{id}` returns it and as webhook endpoints receive it. See
 * docs/provider/payments.md#events.
 */
export const EVENT_ANSWER = shape({
  oneOf: Object.entries(DATA).map(([object, data]) =>
    answer({
      id: described('The event’s id, the same in every delivery attempt.', idOf('evt')),
      type: described(
        'What happened to the object.',
        oneOf(EVENT_TYPES.filter((type) => type.startsWith(`${object}.`))),
      ),
      data,
    }),
  ),
});
export const EVENT_LIST_ANSWER = pageOf('events', EVENT_ANSWER);
