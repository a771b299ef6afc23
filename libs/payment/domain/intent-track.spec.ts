import { hasPassed } from './intent-track.js';

describe('hasPassed', () => {
  test.each([
    ['to_capture', 'authorized'],
    ['to_capture', 'to_capture'],
    ['captured', null],
    ['captured', 'open'],
    ['canceled', 'authorized'],
    ['capture_sent', 'processing'],
    ['expired', 'unpaid'],
  ] as const)('is true for an intent in phase %s and the status %s', (known, status) =>
    expect(hasPassed(known, status)).toBe(true),
  );

  test.each([
    ['authorized', 'to_capture'],
    ['authorized', 'canceled'],
    ['open', 'open'],
    ['open', null],
    ['canceled', 'captured'],
    ['authorized', 'refused'],
    ['authorized', 'on_a_journey'],
  ] as const)('is false for an intent in phase %s and the status %s', (known, status) =>
    expect(hasPassed(known, status)).toBe(false),
  );
});
