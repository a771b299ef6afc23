import { HOUR_MS, parseInstant, plusMs } from '#kernel';
import { shouldDisable } from './endpoint-health.js';

const failingSince = parseInstant('2026-03-02T06:00:00Z');

test.each([
  [10, 72, true],
  [15, 100, true],
  [10, 71, false],
  [9, 100, false],
])(
  'an endpoint with %i failed attempts in %i hours is disabled: %s',
  (failures, hours, expected) => {
    const now = plusMs(failingSince, hours * HOUR_MS);
    expect(shouldDisable({ failures, failingSince }, now)).toBe(expected);
  },
);
