import { instantFromMs, msOf } from '#kernel';
import { type Harness, startHarness } from '../testing/harness.js';
import { SandboxClock } from './sandbox-clock.js';

let sandbox: Harness;
let clock: SandboxClock;
beforeAll(async () => {
  sandbox = await startHarness();
  clock = sandbox.http.app.get<SandboxClock>(SandboxClock, { strict: false });
});
afterAll(() => sandbox.stop());

/**
 * Reads the clock continuously during a move; returns the largest step back of the clock, in
 * milliseconds.
 */
const maxStepBackMs = async (move: () => Promise<void>): Promise<number> => {
  let isMoving = true;
  let before = clock.now();
  let backMs = 0;
  const readClock = (): void => {
    const now = clock.now();
    backMs = Math.max(backMs, msOf(before) - msOf(now));
    before = now;
    if (isMoving) setImmediate(readClock);
  };
  readClock();
  await move();
  isMoving = false;
  readClock();
  return backMs;
};

test('the clock never goes back when moved at a high rate', async () => {
  const moves = [
    () => clock.setRate(1_000_000),
    () => clock.hold(clock.now()),
    () => clock.release(),
    () => clock.setRate(500_000),
    () => clock.hold(instantFromMs(msOf(clock.now()) + 1)),
    () => clock.release(),
    () => clock.setRate(1),
  ];
  for (const move of moves) expect(await maxStepBackMs(move)).toBe(0);
});
