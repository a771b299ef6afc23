import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, parseInstant, plusMs, SECOND_MS } from '#kernel';
import {
  back, captured, observeAll, refund, requested, stateOf, toldBy,
} from './one-door.fixture.js';
import type { Payment } from './payment.js';
import { beginsSchedule, nextReadAt } from './reading-schedule.js';

const capturedAt: Instant = parseInstant('2026-03-02T06:01:00Z');
const withRefund = (status: string): Payment => ({
  ...observeAll([back([refund(1, status)])], toldBy(captured)).state, capturedAt,
} as Payment);
const settled: Payment = { ...stateOf(captured), capturedAt } as Payment;

/** Every read of a payment of which nothing more is heard, from its capture on. */
const readsOf = (payment: Payment): readonly number[] => {
  const days: number[] = [];
  let at = capturedAt;
  for (;;) {
    const next = nextReadAt(payment, at, days.length);
    if (next === null) return days;
    days.push((Date.parse(next) - Date.parse(capturedAt)) / DAY_MS);
    at = next;
  }
};

test('a captured payment is read daily, weekly, monthly, until no payer can dispute it', () => {
  const days = readsOf(settled);
  expect(days.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 14, 21]);
  // Within eight weeks a debit goes back without a reason, within 13 months without a mandate.
  expect(days.filter((day) => day >= 49 && day <= 63)).toHaveLength(3);
  expect(days.at(-1)).toBeGreaterThanOrEqual(400);
  expect(days.length).toBeLessThan(30);
});

test.each([
  ['to_refund', '2026-03-04T10:00:00Z', '2026-03-04T22:01:00.000Z'],
  ['refund_sent', '2026-03-04T22:01:01Z', '2026-03-05T06:01:00.000Z'],
])('a refund that is %s is read after the next clearing', (status, at, expected) => {
  expect(nextReadAt(withRefund(status), parseInstant(at), 0)).toBe(expected);
});

test('a refund that the clearing forgot is looked for more and more rarely', () => {
  const at = parseInstant('2026-03-05T06:01:00Z');
  const waits = [2, 3, 4, 20].map((tries) =>
    Date.parse(nextReadAt(withRefund('refund_sent'), at, tries) ?? '') - Date.parse(at));
  expect(waits).toEqual([5 * MINUTE_MS, 10 * MINUTE_MS, 20 * MINUTE_MS, 6 * HOUR_MS]);
});

test.each(['refunded', 'not_honored', 'failed'])(
  'a refund that is %s waits for nothing', (status) => {
    expect(nextReadAt(withRefund(status), capturedAt, 0)).toBe(plusMs(capturedAt, DAY_MS));
  });

test('a new refund begins the schedule, a dispute does not', () => {
  expect(beginsSchedule(settled, withRefund('to_refund'))).toBe(true);
  expect(beginsSchedule(settled, settled)).toBe(false);
});

/** When a payment whose capture was sent is read, as often as nothing is news. */
const readsWhileSent = (method: 'card' | 'sepa', count: number): readonly string[] => {
  const sent = { ...stateOf(captured.slice(0, -1)), method } as Payment;
  const reads: string[] = [];
  for (let at = parseInstant('2026-03-06T22:01:00Z'); reads.length < count;) {
    at = nextReadAt(sent, at, reads.length) ?? at;
    reads.push(at.slice(5, 16));
  }
  return reads;
};

test('a capture is read the morning after its cut-off; a debit until it settles', () => {
  expect(readsWhileSent('card', 3)).toEqual(['03-07T06:01', '03-07T06:06', '03-07T06:16']);
  expect(readsWhileSent('sepa', 6)).toEqual([
    '03-07T06:01', '03-08T06:01', '03-09T06:01', '03-10T06:01', '03-11T06:01', '03-11T06:06',
  ]);
});

test('an open payment is read soon', () => {
  const open = stateOf([requested, captured[1] as (typeof captured)[number]]);
  expect(nextReadAt(open, capturedAt, 0)).toBe(plusMs(capturedAt, 30 * SECOND_MS));
});
