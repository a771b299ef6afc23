import { BusinessTimes } from './business-times.js';

/** Between the two recorded moments, the business clock was moved forward by a week. */
const times = new BusinessTimes([
  { at: '2026-03-01T10:00:00.000Z', recordedAt: '2026-03-01T10:00:00.000Z' },
  { at: '2026-03-08T10:00:05.000Z', recordedAt: '2026-03-01T10:00:05.000Z' },
]);

test.each([
  ['before the known moments', '2026-03-01T09:59:59.000Z', '2026-03-01T09:59:59.000Z'],
  ['soon after a known moment', '2026-03-01T10:00:02.000Z', '2026-03-01T10:00:02.000Z'],
  ['right before a known moment', '2026-03-01T10:00:04.000Z', '2026-03-08T10:00:04.000Z'],
  ['at a known moment', '2026-03-01T10:00:05.000Z', '2026-03-08T10:00:05.000Z'],
  ['after the known moments', '2026-03-01T10:01:00.000Z', '2026-03-08T10:01:00.000Z'],
])(
  'a timeline entry recorded %s shows the business time at which it was recorded',
  (_, wall, business) => {
    expect(times.at(new Date(wall))).toBe(business);
  },
);
