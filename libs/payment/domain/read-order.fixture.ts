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

/** A read that shows a captured intent with these refunds and disputes. */
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

/** The response to a request: the intent without its attempts. */
const asAnswer = ({ intent }: Observation): Observation => ({
  intent,
  attempts: null,
  refunds: null,
  disputes: null,
});

type History = readonly PaymentEvent[];

/**
 * A cache of the state after each history. Computing the state from the whole history after each
 * command would take quadratic time.
 */
const states = new WeakMap<History, Payment>();

export const stateOf = (history: History): Payment => {
  const state = states.get(history) ?? fold(paymentDecider, history);
  states.set(history, state);
  return state;
};

export const perform = (history: History, command: PaymentCommand): History => {
  const state = stateOf(history);
  const news = paymentDecider.decide(state, command);
  if (news.length === 0) return history;
  const longer = [...history, ...news];
  states.set(longer, news.reduce(paymentDecider.evolve, state));
  return longer;
};

/**
 * A history of events with the state after it. Computing the state from the history for each read
 * would take minutes.
 */
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

/**
 * Adds to the reads the responses to requests: for each status of the intent, a response that shows
 * only the intent with this status.
 */
export const withAnswers = (observations: readonly Observation[]): readonly Observation[] => {
  const answers = new Map(
    observations.map((observation) => [observation.intent.status, asAnswer(observation)]),
  );
  return [...observations, ...answers.values()];
};

/** The payment after a sequence of reads and requests. */
export interface Reached<T> extends Replayed {
  readonly sequence: readonly T[];
}

const identityOf = ({ state, events }: Replayed): string =>
  JSON.stringify([state, [...new Set(events.map(({ type }) => type))].sort()]);

/**
 * The payments after every sequence of up to `length` items, in any order and with repetitions. If
 * several sequences lead to the same state and the same event types, only one of them is continued,
 * because all further states depend only on this state.
 */
export const reachable = <T>(
  items: readonly T[],
  length: number,
  from: Replayed,
  step: (before: Replayed, item: T) => Replayed,
): readonly Reached<T>[] => {
  const first: Reached<T> = { ...from, sequence: [] };
  const known = new Map<string, Reached<T>>([[identityOf(first), first]]);
  let latest: readonly Reached<T>[] = [first];
  for (let n = 0; n < length; n += 1) {
    const next: Reached<T>[] = [];
    for (const before of latest) {
      for (const item of items) {
        const after = step(before, item);
        const identity = identityOf(after);
        if (known.has(identity)) continue;
        const { events, state } = after;
        const reached = { events, state, sequence: [...before.sequence, item] };
        known.set(identity, reached);
        next.push(reached);
      }
    }
    latest = next;
  }
  return [...known.values()];
};

/** The payments after every sequence of up to `length` of the reads. */
export const reachableByReads = (
  reads: readonly Observation[],
  length: number,
  from: Replayed = replay([requested]),
): readonly Reached<Observation>[] =>
  reachable(reads, length, from, (before, read) => observeAll([read], before));
