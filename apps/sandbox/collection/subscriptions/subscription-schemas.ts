import { answer, FLAG, idOf, idOrNull, MOMENT, pageOf } from '../../api/answers.js';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import { optionalReference, reference } from '../../api/schemas.js';
import type { subscriptionResource } from './subscription-resource.js';
import type { SubscriptionItem } from './subscription-row.js';
import { subscriptionMachine } from './subscription-states.js';

/** What may be changed of a subscription; null empties a field. */
export interface SubscriptionPatch {
  readonly items?: readonly SubscriptionItem[];
  readonly card?: string | null;
  readonly sepa?: string | null;
}

/** What the body of `POST /v2/subscriptions` holds. Completion, "Resources". */
export interface SubscriptionCreate extends SubscriptionPatch {
  readonly customer: string;
  readonly items: readonly SubscriptionItem[];
}

const PROPERTIES = {
  items: {
    type: 'array',
    minItems: 1,
    maxItems: 20,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['price'],
      properties: {
        price: reference('price'),
        quantity: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
      },
    },
  },
  card: optionalReference('card'),
  sepa: optionalReference('sepa'),
} as const;

export const subscriptionCreate = checkedBody<SubscriptionCreate>({
  required: ['customer', 'items'], properties: { customer: reference('cust'), ...PROPERTIES },
});
export const subscriptionPatch = checkedBody<SubscriptionPatch>({ properties: PROPERTIES });
export const subscriptionList = listQuery();

export const SUBSCRIPTION_ANSWER = answer<ReturnType<typeof subscriptionResource>>({
  id: idOf('sub'), created: MOMENT, deleted: FLAG,
  status: { enum: Object.keys(subscriptionMachine.table) }, customer: idOf('cust'),
  items: {
    type: 'array',
    items: answer({ price: idOf('price'), quantity: { type: 'integer', minimum: 1 } }),
  },
  card: idOrNull('card'), sepa: idOrNull('sepa'),
});
export const SUBSCRIPTION_LIST_ANSWER = pageOf('subscriptions', SUBSCRIPTION_ANSWER);
