import { type Broken, type Check, isLongChaos } from './check.js';

/**
 * The minimum delay before each attempt to send a webhook, in seconds. It is counted from the event
 * or from the end of the previous attempt (docs/provider/payments.md#events).
 */
const PUBLISHED_DELAYS = [
  15, 16, 31, 96, 271, 640, 1_311, 2_416, 4_111, 6_576, 10_015, 14_656, 20_751, 28_576, 38_431,
];

/** A tolerance, because the compared instants are rounded to milliseconds. */
const ROUNDING_SECONDS = 0.002;

const attemptsOnSchedule: Check = {
  invariant: 7,
  name: 'the provider tries a webhook at most 15 times, none before its published delay',
  verify: ({ facts }) => {
    const { webhookAttempts } = facts;
    const most = Math.max(0, ...webhookAttempts.map(({ attempt }) => attempt));
    const broken = webhookAttempts.flatMap(({ deliveryId, attempt, afterSeconds }): Broken[] => {
      const delay = PUBLISHED_DELAYS[attempt - 1];
      if (delay === undefined) return [{ id: deliveryId, why: `attempt ${attempt} was made` }];
      if (afterSeconds >= delay - ROUNDING_SECONDS) return [];
      return [
        { id: deliveryId, why: `attempt ${attempt} came after ${afterSeconds} s, not ${delay} s` },
      ];
    });
    if (most < 2 && isLongChaos(facts))
      broken.push({ id: 'the run', why: 'no webhook was tried twice' });
    return {
      figure: `${webhookAttempts.length} attempts, at most ${most} of one webhook`,
      broken,
    };
  },
};

export const PROVIDER_WEBHOOK_CHECKS: readonly Check[] = [attemptsOnSchedule];
