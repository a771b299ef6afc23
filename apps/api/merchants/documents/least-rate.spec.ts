import { mock } from 'node:test';
import { watchRate } from './least-rate.js';

const KIB = 1_024;
let bytes: number;
let isWaitedFor: boolean;
let tooSlow: number;
let end: () => void;
let measure: () => void;

beforeEach(() => {
  // Replaces the interval timer, because a mocked timer of Node continues after its callback has
  // cleared it.
  mock.method(globalThis, 'setInterval', (each: () => void) => (measure = each));
  mock.method(globalThis, 'clearInterval', () => (measure = () => undefined));
  [bytes, isWaitedFor, tooSlow] = [0, true, 0];
  end = watchRate({ bytes: () => bytes, isWaitedFor: () => isWaitedFor }, () => {
    tooSlow += 1;
  });
});
afterEach(() => {
  end();
  mock.restoreAll();
});

/** Advances the time by `seconds`; `bytesEach` bytes are transferred in each second. */
const pass = (seconds: number, bytesEach: number): void => {
  for (let second = 0; second < seconds; second += 1) {
    bytes += bytesEach;
    measure();
  }
};

test('a sender that sends nothing is reported as too slow once, after the grace period', () => {
  pass(5, 0);
  expect(tooSlow).toBe(0);
  pass(10, 0);
  expect(tooSlow).toBe(1);
});

test('a sender that stays below the minimum rate is reported as too slow', () => {
  pass(20, KIB);
  expect(tooSlow).toBe(1);
});

test('a sender at the minimum rate is never reported as too slow', () => {
  pass(600, 16 * KIB);
  expect(tooSlow).toBe(0);
});

test('the time in which a sender waits for the API does not count in the sender’s rate', () => {
  isWaitedFor = false;
  pass(600, 0);
  isWaitedFor = true;
  pass(4, 0);
  expect(tooSlow).toBe(0);
});

test('no sender is reported as too slow after the end of the transfer', () => {
  end();
  pass(60, 0);
  expect(tooSlow).toBe(0);
});
