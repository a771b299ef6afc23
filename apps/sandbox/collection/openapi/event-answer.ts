import { answer, idOf, pageOf } from '../../api/answers.js';
import { EVENT_TYPES, type EventType } from '../../storage/event-types.js';
import { CARD_ANSWER } from '../cards/card-schemas.js';
import { CUSTOMER_ANSWER } from '../customers/customer-schemas.js';
import { MANDATE_ANSWER } from '../mandates/mandate-answer.js';
import { INTENT_ANSWER } from '../payments/intent-answer.js';
import { PAYMENT_ANSWER } from '../payments/payment-answer.js';
import { PRICE_ANSWER } from '../products/price-schemas.js';
import { PRODUCT_ANSWER } from '../products/product-schemas.js';
import { SUBSCRIPTION_ANSWER } from '../subscriptions/subscription-schemas.js';

type ObjectType = EventType extends `${infer Object}.${string}` ? Object : never;

/** What an event's `data` holds, by the first part of its type. */
const DATA: Readonly<Record<ObjectType, object>> = {
  customer: CUSTOMER_ANSWER, card: CARD_ANSWER, mandate: MANDATE_ANSWER,
  payment_intent: INTENT_ANSWER, payment: PAYMENT_ANSWER, product: PRODUCT_ANSWER,
  price: PRICE_ANSWER, subscription: SUBSCRIPTION_ANSWER,
};

/** An event as `GET /v2/events/{id}` answers it and as it is sent. Specification, "Events". */
export const EVENT_ANSWER = {
  oneOf: Object.entries(DATA).map(([object, data]) =>
    answer({
      id: idOf('evt'),
      type: { enum: EVENT_TYPES.filter((type) => type.startsWith(`${object}.`)) },
      data,
    })),
} as const;
export const EVENT_LIST_ANSWER = pageOf('events', EVENT_ANSWER);
