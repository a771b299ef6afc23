import { expectSeedsToHold } from './seeds.fixture.js';

/* Half of the worlds of the ordinary test run: the halves run side by side. */
test(
  'worlds of 1,000 seeds hold at every step and come to rest',
  () => expectSeedsToHold(1001, 1_000),
  600_000,
);
