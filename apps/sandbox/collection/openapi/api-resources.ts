import { listQuery } from '../../api/lists.js';
import type { ApiResource, Write } from '../../api/openapi/api-resource.js';
import type { HasSchema } from '../../api/openapi/route.js';
import { ENDPOINT_ANSWER, ENDPOINT_LIST_ANSWER } from '../../webhooks/endpoint-answer.js';
import { endpointCreate, endpointPatch } from '../../webhooks/endpoints.controller.js';
import {
  ADDRESS_ANSWER, ADDRESS_LIST_ANSWER, addressCreate, addressList, addressPatch,
} from '../addresses/address-schemas.js';
import {
  CARD_ANSWER, CARD_LIST_ANSWER, cardCreate, cardList, cardPatch,
} from '../cards/card-schemas.js';
import {
  CUSTOMER_ANSWER, CUSTOMER_LIST_ANSWER, customerCreate, customerList, customerPatch,
} from '../customers/customer-schemas.js';
import { DISPUTE_ANSWER, DISPUTE_LIST_ANSWER } from '../disputes/dispute-answer.js';
import { MANDATE_ANSWER, MANDATE_LIST_ANSWER } from '../mandates/mandate-answer.js';
import { mandateCreate, mandateList, mandatePatch } from '../mandates/mandate-input.js';
import { INTENT_ANSWER, INTENT_LIST_ANSWER } from '../payments/intent-answer.js';
import { intentCreate, intentList, intentPatch } from '../payments/intent-schemas.js';
import { PAYMENT_ANSWER, PAYMENT_LIST_ANSWER } from '../payments/payment-answer.js';
import { paymentCreate, paymentList, paymentPatch } from '../payments/payment-schemas.js';
import { PAYOUT_ANSWER, PAYOUT_LIST_ANSWER } from '../payouts/payout-answer.js';
import { payoutList } from '../payouts/payouts.controller.js';
import {
  PRICE_ANSWER, PRICE_LIST_ANSWER, priceCreate, priceList, pricePatch,
} from '../products/price-schemas.js';
import {
  PRODUCT_ANSWER, PRODUCT_LIST_ANSWER, productCreate, productList, productPatch,
} from '../products/product-schemas.js';
import { REFUND_ANSWER, REFUND_LIST_ANSWER } from '../refunds/refund-answer.js';
import { refundCreate, refundList } from '../refunds/refund-schemas.js';
import { SEPA_ANSWER, SEPA_LIST_ANSWER } from '../sepa/sepa-answer.js';
import { sepaCreate, sepaList, sepaPatch } from '../sepa/sepa-input.js';
import {
  SUBSCRIPTION_ANSWER, SUBSCRIPTION_LIST_ANSWER, subscriptionCreate, subscriptionList,
  subscriptionPatch,
} from '../subscriptions/subscription-schemas.js';
import { EVENT_ANSWER, EVENT_LIST_ANSWER } from './event-answer.js';

/** Lists without a filter of their own. */
const plainList = listQuery();

const with409 = ({ schema }: HasSchema, conflict: string): Write => ({ schema, conflict });

const UNIQUE_ID = '`unique_id` is used by another payment or payment intent.';

/** Everything that has an id. Completion, "Resources". */
export const API_RESOURCES: readonly ApiResource[] = [
  {
    prefix: 'pi', name: 'PaymentIntent',
    about: 'What a payer is asked to pay, on the hosted page at `url`.',
    answer: INTENT_ANSWER, page: INTENT_LIST_ANSWER, list: intentList,
    create: with409(intentCreate, UNIQUE_ID),
    patch: with409(intentPatch, 'Something is authorized, or the card or the account cannot pay.'),
  },
  {
    prefix: 'paym', name: 'Payment',
    about: 'One attempt to pay, by the page or by a single call.',
    answer: PAYMENT_ANSWER, page: PAYMENT_LIST_ANSWER, list: paymentList,
    create: with409(paymentCreate, `${UNIQUE_ID} Or the account has no signed mandate.`),
    patch: paymentPatch,
  },
  {
    prefix: 'refd', name: 'Refund', about: 'Money that goes back to the payer.',
    answer: REFUND_ANSWER, page: REFUND_LIST_ANSWER, list: refundList,
    create: with409(refundCreate, 'The payment is not captured yet, or nothing is left of it.'),
  },
  {
    prefix: 'dspt', name: 'Dispute', about: 'A payment that its payer or their bank took back.',
    answer: DISPUTE_ANSWER, page: DISPUTE_LIST_ANSWER, list: plainList,
  },
  {
    prefix: 'pout', name: 'Payout', about: 'A transfer to the merchant, with its lines.',
    answer: PAYOUT_ANSWER, page: PAYOUT_LIST_ANSWER, list: payoutList,
  },
  {
    prefix: 'cust', name: 'Customer', about: 'A payer.',
    answer: CUSTOMER_ANSWER, page: CUSTOMER_LIST_ANSWER, list: customerList,
    create: customerCreate, patch: customerPatch, removed: 'object',
  },
  {
    prefix: 'addr', name: 'Address', about: 'A postal address. A deleted one can still be read.',
    answer: ADDRESS_ANSWER, page: ADDRESS_LIST_ANSWER, list: addressList,
    create: addressCreate, patch: with409(addressPatch, 'The address was deleted.'),
    removed: 'object',
  },
  {
    prefix: 'card', name: 'Card',
    about: 'A card without its number. The same number and expiry is the same card.',
    answer: CARD_ANSWER, page: CARD_LIST_ANSWER, list: cardList,
    create: cardCreate, patch: cardPatch, removed: 'object',
  },
  {
    prefix: 'sepa', name: 'Sepa', about: 'A bank account to debit, without its IBAN.',
    answer: SEPA_ANSWER, page: SEPA_LIST_ANSWER, list: sepaList,
    create: sepaCreate, patch: sepaPatch, removed: 'object',
  },
  {
    prefix: 'mndt', name: 'Mandate', about: 'The payer\'s word that an account may be debited.',
    answer: MANDATE_ANSWER, page: MANDATE_LIST_ANSWER, list: mandateList,
    create: with409(mandateCreate, '`rum` is used by another mandate.'),
    patch: with409(mandatePatch, 'The mandate is signed, or its payer signs it on the page.'),
    removed: 'object',
  },
  {
    prefix: 'prod', name: 'Product', about: 'What is sold.',
    answer: PRODUCT_ANSWER, page: PRODUCT_LIST_ANSWER, list: productList,
    create: productCreate, patch: productPatch, removed: 'object',
  },
  {
    prefix: 'price', name: 'Price', about: 'What a product costs, once or every so often.',
    answer: PRICE_ANSWER, page: PRICE_LIST_ANSWER, list: priceList,
    create: priceCreate, patch: pricePatch, removed: 'object',
  },
  {
    prefix: 'sub', name: 'Subscription', about: 'Prices that a customer pays again and again.',
    answer: SUBSCRIPTION_ANSWER, page: SUBSCRIPTION_LIST_ANSWER, list: subscriptionList,
    create: with409(subscriptionCreate, 'The account has no signed mandate.'),
    patch: with409(subscriptionPatch, 'It is canceled, or the account has no signed mandate.'),
    removed: 'object',
  },
  {
    prefix: 'we', name: 'WebhookEndpoint', about: 'Where events are sent to.',
    answer: ENDPOINT_ANSWER, page: ENDPOINT_LIST_ANSWER, list: plainList,
    create: endpointCreate, patch: endpointPatch, removed: 'nothing',
  },
  {
    prefix: 'evt', name: 'Event', about: 'What happened, as it was sent.',
    answer: EVENT_ANSWER, page: EVENT_LIST_ANSWER, list: plainList,
  },
];
