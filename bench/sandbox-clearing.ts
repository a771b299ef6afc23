import { assert } from '#kernel';
import {
  cpuBetween,
  cpuOf,
  type CpuSeconds,
  type SandboxServers,
  startBenchSandbox,
} from './sandbox-process.js';
import { fillDuePayments } from './sandbox-rows.js';

const PAYMENTS = 100_000;
const DAY_MS = 86_400_000;

export interface ClearingFigures {
  readonly payments: number;
  readonly seconds: number;
  readonly perSecond: number;
  /**
   * The CPU time of the sandbox. Other programs on the machine change it less than the duration.
   */
  readonly cpu: CpuSeconds;
}

/** The next cut-off (22:00 UTC) that is more than ten minutes away. */
const cutOffAfter = (nowMs: number): string => {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + 22 * 3_600_000;
  return new Date(today > nowMs + 600_000 ? today : today + DAY_MS).toISOString();
};

/** How many card payments the newest payout contains. */
const cardPaymentsOf = (list: Record<string, unknown>): number | undefined => {
  const { payouts } = list as {
    readonly payouts: readonly {
      readonly payments: { readonly method: { readonly card: { readonly count: number } } };
    }[];
  };
  return payouts[0]?.payments.method.card.count;
};

/**
 * Bench S3: advances the sandbox's clock in one move from before a cut-off to the next afternoon.
 * During this move, 100,000 payments are sent to clearing, settled with fees and payout lines, and
 * added to one payout.
 */
export const benchClearing = async (servers: SandboxServers): Promise<ClearingFigures> => {
  const cutOff = cutOffAfter(Date.now());
  const sandbox = await startBenchSandbox(servers, (url) => fillDuePayments(url, PAYMENTS, cutOff));
  try {
    const now = Date.parse(await sandbox.control.now());
    const forSeconds = Math.ceil((Date.parse(cutOff) + 16 * 3_600_000 - now) / 1_000);
    const before = await cpuOf(sandbox);
    const startedMs = performance.now();
    await sandbox.control.advance(`PT${forSeconds}S`);
    const seconds = (performance.now() - startedMs) / 1_000;
    const cpu = cpuBetween(before, await cpuOf(sandbox));
    const counted = cardPaymentsOf(await sandbox.control.api('GET', '/v2/payouts'));
    assert(counted === PAYMENTS, 'all payments are in the one payout');
    return { payments: PAYMENTS, seconds, perSecond: PAYMENTS / seconds, cpu };
  } finally {
    await sandbox.stop();
  }
};
