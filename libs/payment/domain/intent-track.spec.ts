import { hasPassed } from './intent-track.js';

describe('an intent', () => {
  test.each([
    ['to_capture', 'authorized'],
    ['to_capture', 'to_capture'],
    ['captured', null],
    ['captured', 'open'],
    ['canceled', 'authorized'],
    ['capture_sent', 'processing'],
    ['expired', 'unpaid'],
  ] as const)('in phase %s needs no read after a webhook with the status %s', (known, status) =>
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
  ] as const)('in phase %s needs a read after a webhook with the status %s', (known, status) =>
    expect(hasPassed(known, status)).toBe(false),
  );
});
