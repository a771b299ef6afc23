import { type Instant, instantFromMs, parseInstant, plusMs } from '#kernel';
import { withoutNewest } from './late-list.js';

const NOW_S = 1_800_000_000;
const now = instantFromMs(NOW_S * 1_000);
const range = { count: 2 };

test.each(['created', 'created_at'])(
  'a late list lacks the objects whose %s is in the last twelve hours',
  (field) => {
    const old = { id: 'old', [field]: NOW_S - 43_200 };
    const recent = { id: 'recent', [field]: NOW_S - 43_199 };
    const text = JSON.stringify({ payouts: [recent, old], range });
    expect(JSON.parse(withoutNewest(text, now))).toEqual({ payouts: [old], range });
  },
);

test('a late list lacks the payouts of this morning until the evening', () => {
  const evening = parseInstant('2026-03-02T18:00:00.000Z');
  const payouts = [{ date: '2026-03-02' }, { date: '2026-03-01' }];
  const shownAt = (at: Instant) =>
    JSON.parse(withoutNewest(JSON.stringify({ payouts, range }), at)).payouts;
  expect(shownAt(plusMs(evening, -1_000))).toEqual(payouts.slice(1));
  expect(shownAt(evening)).toEqual(payouts);
});

test('a response that is not a list is not changed by the fault late_list', () => {
  const text = JSON.stringify({ id: 'pi_1', payments: [{ id: 'paym_1', created: NOW_S }] });
  expect(withoutNewest(text, now)).toBe(text);
});
