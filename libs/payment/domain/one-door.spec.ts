import fc from 'fast-check';
import { fold, type Instant, instantFromMs, parseInstant } from '#kernel';
import type { Observation, ObservedAttempt } from './observation.js';
import type { PaymentCommand } from './payment-command.js';
import { paymentDecider } from './payment-decider.js';
import type { PaymentEvent, PaymentTerms } from './payment-event.js';
import type { Payment } from './payment.js';

/**
 * One door for provider facts: a call's answer, a webhook and a poll are looks at the provider,
 * each as old as its reading, and any of them may come late, twice or never. Whatever the order,
 * the last look decides the state.
 */

const start: Instant = parseInstant('2026-03-01T10:00:00Z');
const terms: PaymentTerms = {
  orderId: 'ord_1', platformId: 'shop', accountId: 'acc_1', amountMinor: 1250, currency: 'eur',
  methods: ['card', 'sepa'], returnUrl: null, description: null,
};
const requested: PaymentEvent = { type: 'IntentRequested', ...terms, at: start };

const attempt = (
  n: number, status: string | null, method: 'card' | 'sepa' = 'card', response = '00',
): ObservedAttempt => ({
  attemptId: `paym_${n}`, status, response, method,
  mandateId: method === 'sepa' ? 'sepa_1' : null,
  createdAt: instantFromMs(Date.parse(start) + n * 60_000),
});

const look = (status: string, ...attempts: ObservedAttempt[]): Observation => ({
  intent: {
    intentId: 'pi_1', pageUrl: 'https://pay.example/pi_1', status, amountMinor: 1250,
    currency: 'eur',
  },
  attempts, refunds: null, disputes: null,
});

const refused = attempt(1, 'refused', 'card', '51');
const card = (status: string | null) => [refused, attempt(2, status)];
const debit = (status: string, response = '00') => [attempt(1, status, 'sepa', response)];

/** What the provider showed over time, for each way that a payment can go. */
const stories: Record<string, readonly Observation[]> = {
  'paid after a refusal': [
    look('require_payment_method'),
    look('require_payment_method', refused),
    look('require_authentication', ...card(null)),
    look('authorized', ...card('authorized')),
    look('to_capture', ...card('to_capture')),
    look('capture_sent', ...card('capture_sent')),
    look('captured', ...card('captured')),
  ],
  'canceled while the payer hesitates': [
    look('require_payment_method'),
    look('require_payment_method', refused),
    look('canceled', refused),
  ],
  'authorized, then released': [
    look('require_payment_method'),
    look('authorized', ...card('authorized')),
    look('canceled', ...card('canceled')),
  ],
  'captured, then cancelled before the cut-off': [
    look('require_payment_method', refused),
    look('authorized', ...card('authorized')),
    look('to_capture', ...card('to_capture')),
    look('canceled', ...card('canceled')),
  ],
  'authorized and left to expire': [
    look('require_payment_method', refused),
    look('authorized', ...card('authorized')),
    look('unpaid', ...card('expired')),
  ],
  'a direct debit that is collected': [
    look('require_payment_method'),
    look('processing', ...debit('to_capture')),
    look('capture_sent', ...debit('capture_sent')),
    look('captured', ...debit('captured')),
  ],
  'a direct debit that comes back': [
    look('require_payment_method'),
    look('processing', ...debit('to_capture')),
    look('capture_sent', ...debit('capture_sent')),
    look('unpaid', ...debit('refused', 'AM04')),
  ],
};

/** The answer to a call shows the intent without its attempts. */
const asAnswer = ({ intent }: Observation): Observation => ({
  intent, attempts: null, refunds: null, disputes: null,
});

const perform = (history: readonly PaymentEvent[], command: PaymentCommand) => [
  ...history,
  ...paymentDecider.decide(fold(paymentDecider, history), command),
];

const observeAll = (looks: readonly Observation[]): readonly PaymentEvent[] =>
  looks.reduce<readonly PaymentEvent[]>(
    (history, observation) =>
      perform(history, { type: 'ObservePayment', observation, at: start }),
    [requested],
  );

const stateOf = (history: readonly PaymentEvent[]): Payment => fold(paymentDecider, history);

/** Every sequence of up to `length` items, with repetition: duplicates, losses and any order. */
function* sequences<T>(items: readonly T[], length: number): Generator<readonly T[]> {
  yield [];
  if (length === 0) return;
  for (const item of items) {
    for (const rest of sequences(items, length - 1)) yield [item, ...rest];
  }
}

describe.each(Object.entries(stories))('%s', (_name, story) => {
  const last = story.at(-1) as Observation;
  const expected = stateOf(observeAll(story));

  test('every order of up to four earlier looks, of all kinds, ends in the one state', () => {
    let runs = 0;
    for (const earlier of sequences([...story, ...story.map(asAnswer)], 4)) {
      const history = observeAll([...earlier, last]);
      if (history.some(({ type }) => type === 'ProviderMismatchObserved')) {
        throw new Error(`a truthful provider never contradicts itself: ${JSON.stringify(earlier)}`);
      }
      runs += 1;
      // Deep comparison of 30,000 states is cheap as text: evolve builds fields in one order.
      if (JSON.stringify(sorted(stateOf(history))) !== JSON.stringify(sorted(expected))) {
        expect({ earlier, state: stateOf(history) }).toEqual({ earlier, state: expected });
      }
    }
    expect(runs).toBeGreaterThan(1_000);
  });

  test('looks after the last one, however old, change nothing', () => {
    for (const late of [...story, ...story.map(asAnswer)]) {
      expect(stateOf(observeAll([last, late]))).toEqual(expected);
    }
  });

  test('requests of ours in between do not change where it ends', () => {
    const commands: readonly PaymentCommand[] = [
      { type: 'RequestCapture', by: 'policy', at: start },
      { type: 'RequestCancel', reason: 'cancellation', at: start },
      { type: 'RequestCancel', reason: 'expiry', at: start },
      { type: 'NoteUnknownOutcome', call: 'create_intent', at: start },
      { type: 'NoteUnknownOutcome', call: 'capture', at: start },
      { type: 'NoteUnknownOutcome', call: 'cancel', at: start },
      { type: 'WarnOfExpiry', at: start },
    ];
    const looks: readonly PaymentCommand[] = [...story, ...story.map(asAnswer)].map(
      (observation) => ({ type: 'ObservePayment', observation, at: start }),
    );
    const happening = fc.constantFrom(...commands, ...looks);
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 20 }), (happenings) => {
        const history = happenings.reduce<readonly PaymentEvent[]>(perform, [requested]);
        const end = perform(history, { type: 'ObservePayment', observation: last, at: start });
        const { unknown: _unknown, ...state } = stateOf(end) as Payment & { unknown: unknown };
        const { unknown: _none, ...rest } = expected as Payment & { unknown: unknown };
        expect(state).toEqual(rest);
      }),
      { numRuns: 500 },
    );
  });
});

const sorted = (payment: Payment) =>
  Object.fromEntries(Object.entries(payment).sort(([a], [b]) => (a < b ? -1 : 1)));
