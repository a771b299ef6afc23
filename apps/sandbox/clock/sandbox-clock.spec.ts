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

/** How far back the clock goes at most, in ms of its own, looked at all through a move. */
const setBackBy = async (move: () => Promise<void>): Promise<number> => {
  let isMoving = true;
  let before = clock.now();
  let backMs = 0;
  const look = (): void => {
    const now = clock.now();
    backMs = Math.max(backMs, msOf(before) - msOf(now));
    before = now;
    if (isMoving) setImmediate(look);
  };
  look();
  await move();
  isMoving = false;
  look();
  return backMs;
};

test('at a high rate no move takes back a time that was shown', async () => {
  const moves = [
    () => clock.setRate(1_000_000),
    () => clock.hold(clock.now()),
    () => clock.release(),
    () => clock.setRate(500_000),
    () => clock.hold(instantFromMs(msOf(clock.now()) + 1)),
    () => clock.release(),
    () => clock.setRate(1),
  ];
  for (const move of moves) expect(await setBackBy(move)).toBe(0);
});
