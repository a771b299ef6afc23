import { DAY_MS, HOUR_MS, type Instant, instantFromMs, msOf } from '#kernel';

const CUT_OFF_HOUR = 22;
const MORNING_HOUR = 6;

/** The next time of day in UTC strictly after `at`: what happens at the cut-off misses it. */
const nextHourUtc = (at: Instant, hour: number): Instant => {
  const ms = msOf(at);
  const sameDay = Math.floor(ms / DAY_MS) * DAY_MS + hour * HOUR_MS;
  return instantFromMs(sameDay > ms ? sameDay : sameDay + DAY_MS);
};

/** When what is to be captured is sent: 22:00 UTC. */
export const nextCutOff = (at: Instant): Instant => nextHourUtc(at, CUT_OFF_HOUR);

/** When what was sent is settled: 06:00 UTC. */
export const nextMorning = (at: Instant): Instant => nextHourUtc(at, MORNING_HOUR);
