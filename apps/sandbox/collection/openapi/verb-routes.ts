import { answer, described, listOf, oneOf, type Shape, shape, TEXT } from '../../api/answers.js';
import { type IdPrefix, RESOURCES } from '../../api/ids.js';
import { NO_BODY, type Route, type Schema } from '../../api/openapi/route.js';
import type { PingController } from '../../api/ping.controller.js';
import { DISPUTE_LINES_ANSWER, DISPUTES } from '../disputes/dispute-resource.js';
import { evidenceBody } from '../disputes/evidence-input.js';
import { INTENTS } from '../payments/intent-resource.js';
import { PAYMENTS } from '../payments/payment-resource.js';
import { payoutLines } from '../payouts/payouts.controller.js';
import { refundOf, REFUNDS } from '../refunds/refund-resource.js';

const PONG: Shape<ReturnType<PingController['ping']>> = answer({
  ping: described('Always `pong`.', shape<'pong'>({ const: 'pong' })),
  mode: described('The mode of the key.', oneOf(['test', 'live'])),
  account: described('The merchant account of the key.', TEXT),
});

const below = (prefix: IdPrefix, verb: string) =>
  ({
    path: `/v2/${RESOURCES[prefix].paths[0]}/{id}${verb}`,
    prefix,
    tag: RESOURCES[prefix].name,
  }) as const;

const REFUND_CONFLICT = 'The payment is not captured yet, or nothing is left to refund.';
const CAPTURE_CONFLICT = 'The payment is not authorized, or it was created with `capture: true`.';

/** Additional operations of payments and intents. */
const paymentVerbs = (prefix: 'pi' | 'paym', name: string, answer: Shape): readonly Route[] => [
  {
    ...below(prefix, '/capture'),
    method: 'post',
    operationId: `capture${name}`,
    summary: 'Capture the authorized amount',
    body: NO_BODY,
    answer,
    conflict: CAPTURE_CONFLICT,
  },
  {
    ...below(prefix, '/refund'),
    method: 'post',
    operationId: `refund${name}`,
    summary: 'Refund the payment, in full or in part',
    body: { schema: refundOf.schema, optional: true },
    answer: REFUNDS.answer,
    conflict: REFUND_CONFLICT,
  },
  {
    ...below(prefix, '/refunds'),
    method: 'get',
    operationId: `refundsOf${name}`,
    summary: 'The refunds of the payment or intent',
    answer: listOf(REFUNDS.answer),
  },
  {
    ...below(prefix, '/disputes'),
    method: 'get',
    operationId: `disputesOf${name}`,
    summary: 'The disputes of the payment or intent',
    answer: listOf(DISPUTES.answer),
  },
];

const linesOf = (verb: string, page: Schema): Route => ({
  ...below('pout', `/${verb}`),
  method: 'get',
  operationId: `${verb}OfPayout`,
  summary: `The ${verb} in the payout`,
  query: payoutLines,
  answer: page,
});

/**
 * All operations other than create, read, list, update and delete. See
 * docs/provider/payments-completion.md#conventions.
 */
export const VERB_ROUTES: readonly Route[] = [
  {
    ...below('pi', ''),
    method: 'delete',
    operationId: 'cancelPaymentIntent',
    summary: 'Cancel the intent, and release the authorized amount',
    answer: INTENTS.answer,
    conflict: 'The payment was already sent to the bank, or the intent has ended.',
  },
  ...paymentVerbs('pi', 'PaymentIntent', INTENTS.answer),
  {
    ...below('pi', '/payments'),
    method: 'get',
    operationId: 'paymentsOfPaymentIntent',
    summary: 'The payments of the intent',
    answer: listOf(PAYMENTS.answer),
  },
  ...paymentVerbs('paym', 'Payment', PAYMENTS.answer),
  linesOf('payments', PAYMENTS.page),
  linesOf('refunds', REFUNDS.page),
  linesOf('disputes', DISPUTE_LINES_ANSWER),
  {
    ...below('dspt', '/evidence'),
    method: 'post',
    operationId: 'sendDisputeEvidence',
    summary: 'Send evidence against the dispute: a text, files, or both; or as multipart/form-data',
    body: evidenceBody,
    answer: DISPUTES.answer,
    conflict: 'Evidence was already sent, or the dispute is closed.',
  },
  {
    ...below('mndt', '.pdf'),
    method: 'get',
    operationId: 'readMandateDocument',
    summary: 'The signed document of the mandate',
    answer: 'application/pdf',
  },
  {
    method: 'get',
    path: '/v2/ping',
    operationId: 'ping',
    tag: 'Service',
    summary: 'Check the key and the service',
    answer: PONG,
  },
];
