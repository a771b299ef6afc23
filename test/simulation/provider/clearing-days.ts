import { DAY_MS, HOUR_MS } from '#kernel';

/** The next time after `ms` at which it is `hour` o'clock UTC. */
const nextHour = (ms: number, hour: number): number => {
  const sameDay = Math.floor(ms / DAY_MS) * DAY_MS + hour * HOUR_MS;
  return sameDay > ms ? sameDay : sameDay + DAY_MS;
};

/**
 * docs/provider/payments-completion.md#states: the provider sends captures and refunds at 22:00
 * UTC, and settles them at 06:00 UTC.
 */
export const nextCutOff = (ms: number): number => nextHour(ms, 22);
export const nextMorning = (ms: number): number => nextHour(ms, 6);

const isBankDay = (ms: number): boolean => ![0, 6].includes(new Date(ms).getUTCDay());

/** The morning of the second bank day after `ms`, when a direct debit settles or is returned. */
export const secondBankDay = (ms: number): number => {
  let morning = Math.floor(ms / DAY_MS) * DAY_MS + 6 * HOUR_MS;
  for (let left = 2; left > 0;) {
    morning += DAY_MS;
    if (isBankDay(morning)) left -= 1;
  }
  return morning;
};
