import {
  assert,
  DAY_MS,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  parseInstant,
  plusMs,
  SECOND_MS,
} from '#kernel';
import {
  attempt,
  back,
  captured,
  dispute,
  observationOf,
  observeAll,
  refund,
  requested,
  start,
  stateOf,
  replay,
} from './read-order.fixture.js';
import type { Payment } from './payment.js';
import { beginsSchedule, nextReadAt } from './reading-schedule.js';

const capturedAt: Instant = parseInstant('2026-03-02T06:01:00Z');
const withRefund = (status: string): Payment =>
  ({
    ...observeAll([back([refund(1, status)])], replay(captured)).state,
    capturedAt,
  }) as Payment;
const settled: Payment = { ...stateOf(captured), capturedAt } as Payment;

const withDispute = (status: string): Payment =>
  ({
    ...observeAll([back([], [dispute(status, 1_250)])], replay(captured)).state,
  }) as Payment;

/** The time of the next read of a payment; fails if the payment is not read again. */
const readAgainAt = (payment: Payment, at: Instant, tries: number): Instant => {
  const next = nextReadAt(payment, at, tries);
  assert(next !== null, 'the payment is read again');
  return next;
};

/**
 * The days on which a payment with a dispute is read while nothing changes, counted from the
 * opening of the dispute.
 */
const readsOf = (payment: Payment, openedAt: Instant, count: number): readonly number[] => {
  const days: number[] = [];
  for (let at = openedAt; days.length < count;) {
    const next = nextReadAt(payment, at, days.length);
    if (next === null) return days;
    days.push((Date.parse(next) - Date.parse(openedAt)) / DAY_MS);
    at = next;
  }
  return days;
};

test('a payment that has not ended is polled within a day and then at least every six hours, however long it stays unchanged', () => {
  const statuses = ['open', 'authorized', 'processing', 'to_capture', 'capture_sent'] as const;
  for (const status of statuses) {
    const payment = { status, method: 'card' } as Payment;
    for (let tries = 0; tries < 1_000; tries += 1) {
      const next = nextReadAt(payment, capturedAt, tries);
      const mostMs = tries === 0 ? DAY_MS : 6 * HOUR_MS;
      const waitMs = Date.parse(next ?? '') - Date.parse(capturedAt);
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(mostMs);
    }
  }
});

test('a captured payment is not polled, because the provider’s lists of payments, refunds and disputes and the payout lines show its changes', () => {
  expect(nextReadAt(settled, capturedAt, 0)).toBeNull();
});

test('a payment with several captures is polled until its authorization is closed', () => {
  const shown = (status: string) => ({
    ...observationOf(status, attempt(1, status)),
    intent: {
      ...observationOf(status).intent,
      captures: [{ reference: 'cap_a', captureId: 'c1', amountMinor: 500, status: 'captured' }],
    },
  });
  const open = observeAll([shown('authorized')]).state;
  expect(nextReadAt(open, capturedAt, 0)).toBe(plusMs(capturedAt, 15 * MINUTE_MS));
  expect(nextReadAt(observeAll([shown('captured')]).state, capturedAt, 0)).toBeNull();
});

test('a payment with an open dispute is polled daily, then weekly, then monthly', () => {
  const days = readsOf(withDispute('open'), start, 40);
  expect(days.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 14, 21]);
  expect(days.length).toBe(40);
  expect((days.at(-1) ?? 0) - (days.at(-2) ?? 0)).toBe(30);
});

test.each(['accepted', 'won', 'lost', 'out_of_time', 'not_contestable'])(
  'a payment with a dispute in the status %s is not polled',
  (status) => {
    expect(nextReadAt(withDispute(status), capturedAt, 0)).toBeNull();
  },
);

test.each([
  ['to_refund', '2026-03-04T10:00:00Z', '2026-03-05T08:00:00.000Z'],
  ['refund_sent', '2026-03-04T22:01:01Z', '2026-03-05T08:00:00.000Z'],
])(
  'a refund in the status %s is polled on the morning on which it should have settled',
  (status, at, expected) => {
    expect(nextReadAt(withRefund(status), parseInstant(at), 0)).toBe(expected);
  },
);

test('a refund that did not settle at the expected clearing is polled at growing intervals', () => {
  const at = parseInstant('2026-03-05T06:01:00Z');
  const waits = [2, 3, 4, 20].map(
    (tries) => Date.parse(nextReadAt(withRefund('refund_sent'), at, tries) ?? '') - Date.parse(at),
  );
  expect(waits).toEqual([5 * MINUTE_MS, 10 * MINUTE_MS, 20 * MINUTE_MS, 6 * HOUR_MS]);
});

test.each(['refunded', 'not_honored', 'failed'])(
  'a refund in the status %s is not polled',
  (status) => {
    expect(nextReadAt(withRefund(status), capturedAt, 0)).toBeNull();
  },
);

test('a new refund or dispute restarts the polling schedule', () => {
  expect(beginsSchedule(settled, withRefund('to_refund'))).toBe(true);
  expect(beginsSchedule(settled, withDispute('open'))).toBe(true);
  expect(beginsSchedule(settled, settled)).toBe(false);
});

/**
 * The times of the reads of a payment after its capture was sent, as long as the reads show no
 * change.
 */
const readsWhileSent = (
  method: 'card' | 'sepa',
  count: number,
  sentAt = '2026-03-06T22:01:00Z',
): readonly string[] => {
  const sent = { ...stateOf(captured.slice(0, -1)), method } as Payment;
  const reads: string[] = [];
  for (let at = parseInstant(sentAt); reads.length < count;) {
    at = readAgainAt(sent, at, reads.length);
    reads.push(at.slice(5, 16));
  }
  return reads;
};

test('a card payment is polled on the morning after its capture was sent, in case no payout has shown its clearing', () => {
  expect(readsWhileSent('card', 3)).toEqual(['03-07T08:00', '03-07T08:05', '03-07T08:15']);
});

test.each([
  [
    'on a Monday',
    '2026-03-02T22:01:00Z',
    ['03-04T08:00', '03-05T08:00', '03-06T08:00', '03-09T08:00'],
  ],
  ['on a Thursday', '2026-03-05T22:01:00Z', ['03-09T08:00', '03-10T08:00']],
  ['on a Friday', '2026-03-06T22:01:00Z', ['03-10T08:00', '03-11T08:00']],
  ['on a Monday and observed late', '2026-03-03T20:00:00Z', ['03-04T08:00']],
])(
  'a direct debit that was sent %s is polled when it may have settled, and then on each bank day',
  (_, sentAt, reads) => {
    expect(readsWhileSent('sepa', reads.length, sentAt)).toEqual(reads);
  },
);

test('an accepted capture is polled on the next morning, in case the provider’s list of payments has not shown a change', () => {
  const accepted = stateOf(captured.slice(0, -2));
  expect(accepted.status).toBe('to_capture');
  const at = parseInstant('2026-03-06T10:00:00Z');
  expect(nextReadAt(accepted, at, 0)).toBe('2026-03-07T08:00:00.000Z');
});

test('an open payment is polled after 30 seconds', () => {
  const open = stateOf([requested, captured[1] as (typeof captured)[number]]);
  expect(nextReadAt(open, capturedAt, 0)).toBe(plusMs(capturedAt, 30 * SECOND_MS));
});

describe('a payment that the payer has not paid yet', () => {
  const open = observeAll([observationOf('open')]).state;

  test('is polled at growing intervals, and in the end four times a day', () => {
    let reads = 0;
    for (let at = start; Date.parse(at) < Date.parse(start) + 30 * DAY_MS; reads += 1) {
      at = readAgainAt(open, at, reads);
    }
    expect(reads).toBeLessThan(140);
    expect(nextReadAt(open, start, 0)).toBe(plusMs(start, 30 * SECOND_MS));
  });

  test('is polled from the start of the schedule when the payer acts', () => {
    const finished: Payment = { ...open, pageCompleted: true } as Payment;
    const refused = observeAll([observationOf('open', attempt(1, 'refused'))]).state;
    expect(beginsSchedule(open, finished)).toBe(true);
    expect(beginsSchedule(open, refused)).toBe(true);
    expect(beginsSchedule(open, open)).toBe(false);
  });
});
