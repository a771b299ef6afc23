import { HeldClaims } from './held-claims.js';
import { ClaimLapsed } from './job.js';

const job = { kind: 'capture', key: 'j1', claim: 'c1' };

let nowMs = 0;
const time = {
  nowMs: () => nowMs,
  every: () => () => undefined,
  sleep: () => Promise.resolve(),
};
let extended: readonly string[] = [];
let claims: HeldClaims;

beforeEach(() => {
  nowMs = 1_000;
  extended = ['c1'];
  claims = new HeldClaims(
    () => Promise.resolve(extended),
    () => undefined,
    time,
  );
  claims.add(job, nowMs);
});
afterEach(() => claims.stop());

const isHeld = (): boolean => {
  try {
    claims.assertHeld(job);
    return true;
  } catch (error) {
    if (error instanceof ClaimLapsed) return false;
    throw error;
  }
};

test('a worker stops using its claim before another worker can claim the job', () => {
  nowMs += 12_999;
  expect(isHeld()).toBe(true);
  nowMs += 1;
  expect(isHeld()).toBe(false);
});

test('the claim of a slow request is extended', async () => {
  for (let time = 0; time < 5; time += 1) {
    nowMs += 6_000;
    await claims.hold();
    expect(isHeld()).toBe(true);
  }
});

test('a claim that cannot be extended expires after its duration', async () => {
  extended = [];
  nowMs += 6_000;
  await claims.hold();
  nowMs += 7_000;
  expect(isHeld()).toBe(false);
});

test('a claim that was recently acquired is not extended', async () => {
  let asked = 0;
  const own = new HeldClaims(
    () => Promise.resolve([`${(asked += 1)}`]),
    () => undefined,
    time,
  );
  own.add(job, nowMs);
  nowMs += 4_999;
  await own.hold();
  expect(asked).toBe(0);
  own.stop();
});
