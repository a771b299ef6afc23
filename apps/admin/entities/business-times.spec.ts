import { BusinessTimes } from './business-times.js';

/** The business clock was moved by a week between these two moments. */
const times = new BusinessTimes([
  { at: '2026-03-01T10:00:00.000Z', recordedAt: '2026-03-01T10:00:00.000Z' },
  { at: '2026-03-08T10:00:05.000Z', recordedAt: '2026-03-01T10:00:05.000Z' },
]);

test.each([
  ['before the first moment', '2026-03-01T09:59:59.000Z', '2026-03-01T09:59:59.000Z'],
  ['soon after it', '2026-03-01T10:00:02.000Z', '2026-03-01T10:00:02.000Z'],
  ['right before the next one', '2026-03-01T10:00:04.000Z', '2026-03-08T10:00:04.000Z'],
  ['with it', '2026-03-01T10:00:05.000Z', '2026-03-08T10:00:05.000Z'],
  ['after the last moment', '2026-03-01T10:01:00.000Z', '2026-03-08T10:01:00.000Z'],
])('a timeline entry recorded %s has the business time of that moment', (_, wall, business) => {
  expect(times.at(new Date(wall))).toBe(business);
});
