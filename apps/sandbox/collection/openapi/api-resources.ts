import { listQuery } from '../../api/lists.js';
import type { ApiResource } from '../../api/openapi/api-resource.js';
import { ENDPOINTS } from '../../webhooks/endpoint-resource.js';
import { ADDRESSES } from '../addresses/address-resource.js';
import { CARDS } from '../cards/card-resource.js';
import { CUSTOMERS } from '../customers/customer-resource.js';
import { DISPUTES } from '../disputes/dispute-resource.js';
import { MANDATES } from '../mandates/mandate-resource.js';
import { INTENTS } from '../payments/intent-resource.js';
import { PAYMENTS } from '../payments/payment-resource.js';
import { PAYOUTS } from '../payouts/payout-resource.js';
import { PRICES } from '../products/price-resource.js';
import { PRODUCTS } from '../products/product-resource.js';
import { REFUNDS } from '../refunds/refund-resource.js';
import { SEPA } from '../sepa/sepa-resource.js';
import { SUBSCRIPTIONS } from '../subscriptions/subscription-resource.js';
import { EVENT_ANSWER, EVENT_LIST_ANSWER } from './event-answer.js';

/** All resources with ids. See docs/provider/payments-completion.md#resources. */
export const API_RESOURCES: readonly ApiResource[] = [
  INTENTS,
  PAYMENTS,
  REFUNDS,
  DISPUTES,
  PAYOUTS,
  CUSTOMERS,
  ADDRESSES,
  CARDS,
  SEPA,
  MANDATES,
  PRODUCTS,
  PRICES,
  SUBSCRIPTIONS,
  ENDPOINTS,
  {
    prefix: 'evt',
    title: 'Event',
    about: 'An event, as it is sent to webhook endpoints.',
    answer: EVENT_ANSWER,
    page: EVENT_LIST_ANSWER,
    list: listQuery(),
  },
];
