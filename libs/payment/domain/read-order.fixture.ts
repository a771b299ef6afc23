import { DAY_MS, fold, type Instant, instantFromMs, parseInstant, plusMs } from '#kernel';
import type {
  Observation,
  ObservedAttempt,
  ObservedDispute,
  ObservedRefund,
} from './observation.js';
import type { PaymentCommand } from './payment-command.js';
import { paymentDecider } from './payment-decider.js';
import type { PaymentEvent, PaymentTerms } from './payment-event.js';
import type { Payment } from './payment.js';

export const start: Instant = parseInstant('2026-03-01T10:00:00Z');
const terms: PaymentTerms = {
  orderId: 'ord_1',
  platformId: 'shop',
  accountId: 'acc_1',
  amountMinor: 1250,
  currency: 'eur',
  methods: ['card', 'sepa'],
  returnUrl: null,
  description: null,
};
export const requested: PaymentEvent = { type: 'IntentRequested', ...terms, at: start };

export const attempt = (
  n: number,
  status: string | null,
  method: 'card' | 'sepa' = 'card',
  response = '00',
): ObservedAttempt => ({
  attemptId: `paym_${n}`,
  status,
  response,
  method,
  mandateId: method === 'sepa' ? 'sepa_1' : null,
  authorizedUntil: plusMs(start, n * 60_000 + 7 * DAY_MS),
});

export const observationOf = (status: string, ...attempts: ObservedAttempt[]): Observation => ({
  intent: {
    intentId: 'pi_1',
    reference: 'pay_1',
    pageUrl: 'https://pay.example/pi_1',
    status,
    amountMinor: 1250,
    currency: 'eur',
  },
  attempts,
  refunds: null,
  disputes: null,
});

export const refund = (n: number, status: string, amountMinor = 500): ObservedRefund => ({
  refundId: `refd_${n}`,
  amountMinor,
  currency: 'eur',
  status,
  createdAt: instantFromMs(Date.parse(start) + n * 3_600_000),
});

export const dispute = (
  status: string,
  amountMinor: number,
  kind: ObservedDispute['kind'] = 'chargeback',
): ObservedDispute => ({
  disputeId: 'dspt_1',
  kind,
  amountMinor,
  currency: 'eur',
  feeMinor: 1_500,
  status,
  reasonCode: kind === 'chargeback' ? '4837' : 'MD06',
  createdAt: start,
});

/** A captured intent with refunds and disputes, which return money to the payer. */
export const back = (
  refunds: readonly ObservedRefund[],
  disputes: readonly ObservedDispute[] = [],
  attempts: readonly ObservedAttempt[] = [attempt(1, 'captured')],
): Observation => ({ ...observationOf('captured', ...attempts), refunds, disputes });

export const captured: readonly PaymentEvent[] = [
  requested,
  { type: 'IntentCreated', intentId: 'pi_1', pageUrl: 'https://pay.example/pi_1', at: start },
  { type: 'PaymentAuthorized', attemptId: 'paym_1', expiresAt: start, at: start },
  { type: 'CaptureAccepted', captureId: 'cap_1', amountMinor: 1250, at: start },
  { type: 'CaptureSent', captureId: 'cap_1', at: start },
  { type: 'PaymentCaptured', captureId: 'cap_1', amountMinor: 1250, at: start },
];

/** The response to a request, which shows the intent without its attempts. */
const asAnswer = ({ intent }: Observation): Observation => ({
  intent,
  attempts: null,
  refunds: null,
  disputes: null,
});

export const perform = (history: readonly PaymentEvent[], command: PaymentCommand) => [
  ...history,
  ...paymentDecider.decide(fold(paymentDecider, history), command),
];

/** A history together with its state: replaying the history for each read would take minutes. */
export interface Replayed {
  readonly events: readonly PaymentEvent[];
  readonly state: Payment;
}

export const replay = (events: readonly PaymentEvent[]): Replayed => ({
  events,
  state: fold(paymentDecider, events),
});

export const observeAll = (
  observations: readonly Observation[],
  from: Replayed = replay([requested]),
): Replayed =>
  observations.reduce<Replayed>(({ events, state }, observation) => {
    const news = paymentDecider.decide(state, {
      type: 'ObservePayment',
      paymentId: 'pay_1',
      observation,
      at: start,
    });
    if (news.length === 0) return { events, state };
    return { events: [...events, ...news], state: news.reduce(paymentDecider.evolve, state) };
  }, from);

/** The reads, and the responses to requests that show the same intents: each different one once. */
export const withAnswers = (observations: readonly Observation[]): readonly Observation[] => {
  const answers = new Map(
    observations.map((observation) => [observation.intent.status, asAnswer(observation)]),
  );
  return [...observations, ...answers.values()];
};

export const stateOf = (history: readonly PaymentEvent[]): Payment => fold(paymentDecider, history);

/** Every sequence of up to `length` items, with repetition: duplicates, losses and any order. */
export function* sequences<T>(items: readonly T[], length: number): Generator<readonly T[]> {
  yield [];
  if (length === 0) return;
  for (const item of items) {
    for (const rest of sequences(items, length - 1)) yield [item, ...rest];
  }
}
