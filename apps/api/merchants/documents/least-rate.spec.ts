import { mock } from 'node:test';
import { watchRate } from './least-rate.js';

const KIB = 1_024;
let bytes: number;
let isWaitedFor: boolean;
let tooSlow: number;
let end: () => void;
let look: () => void;

beforeEach(() => {
  // Node's own mocked timers go on after they were cleared in their callback.
  mock.method(globalThis, 'setInterval', (each: () => void) => (look = each));
  mock.method(globalThis, 'clearInterval', () => (look = () => undefined));
  [bytes, isWaitedFor, tooSlow] = [0, true, 0];
  end = watchRate({ bytes: () => bytes, isWaitedFor: () => isWaitedFor }, () => {
    tooSlow += 1;
  });
});
afterEach(() => {
  end();
  mock.restoreAll();
});

/** So many seconds, in each of which so many bytes come. */
const pass = (seconds: number, bytesEach: number): void => {
  for (let second = 0; second < seconds; second += 1) {
    bytes += bytesEach;
    look();
  }
};

test('who sends nothing is too slow after the grace, and told once', () => {
  pass(5, 0);
  expect(tooSlow).toBe(0);
  pass(10, 0);
  expect(tooSlow).toBe(1);
});

test('who sends a little all the time is too slow', () => {
  pass(20, KIB);
  expect(tooSlow).toBe(1);
});

test('who sends at the least rate is not, however long it lasts', () => {
  pass(600, 16 * KIB);
  expect(tooSlow).toBe(0);
});

test('time in which we are waited for is not theirs', () => {
  isWaitedFor = false;
  pass(600, 0);
  isWaitedFor = true;
  pass(4, 0);
  expect(tooSlow).toBe(0);
});

test('nothing is told after the end', () => {
  end();
  pass(60, 0);
  expect(tooSlow).toBe(0);
});
