import { DAY_MS, HOUR_MS } from '#kernel';

/** The next time of day in UTC strictly after. */
const nextHour = (ms: number, hour: number): number => {
  const sameDay = Math.floor(ms / DAY_MS) * DAY_MS + hour * HOUR_MS;
  return sameDay > ms ? sameDay : sameDay + DAY_MS;
};

/**
 * docs/provider/payments-completion.md#states: what is to be sent is sent at 22:00 UTC, and settled
 * at 06:00 UTC.
 */
export const nextCutOff = (ms: number): number => nextHour(ms, 22);
export const nextMorning = (ms: number): number => nextHour(ms, 6);

const isBankDay = (ms: number): boolean => ![0, 6].includes(new Date(ms).getUTCDay());

/** The morning of the second bank day after: a direct debit then settles or is returned. */
export const secondBankDay = (ms: number): number => {
  let morning = Math.floor(ms / DAY_MS) * DAY_MS + 6 * HOUR_MS;
  for (let left = 2; left > 0;) {
    morning += DAY_MS;
    if (isBankDay(morning)) left -= 1;
  }
  return morning;
};
