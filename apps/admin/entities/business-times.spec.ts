import type { RecordedEvent } from '#event-store';
import { BusinessTimes } from './business-times.js';

const event = (at: string, recordedAt: string): RecordedEvent =>
  ({ data: { at }, recordedAt }) as unknown as RecordedEvent;

/** Between the two events the clock of business was moved by a week. */
const times = new BusinessTimes([
  event('2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z'),
  event('2026-03-08T10:00:05.000Z', '2026-03-01T10:00:05.000Z'),
]);

test.each([
  ['before the first event', '2026-03-01T09:59:59.000Z', '2026-03-01T09:59:59.000Z'],
  ['between two events', '2026-03-01T10:00:02.000Z', '2026-03-01T10:00:02.000Z'],
  ['with an event', '2026-03-01T10:00:05.000Z', '2026-03-08T10:00:05.000Z'],
  ['after the last event', '2026-03-01T10:01:00.000Z', '2026-03-08T10:01:00.000Z'],
])('what was recorded %s has the business time of then', (_, wall, business) => {
  expect(times.at(new Date(wall))).toBe(business);
});
