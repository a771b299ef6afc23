import type { Random } from '../../tools/chaos/random.js';

/** The probabilities with which faults occur, at each point at which they can occur. */
export interface FaultRates {
  /**
   * The probability that the connection to the database breaks before or after a statement is
   * executed.
   */
  readonly database: number;
  /** The probability that a request to the provider fails. */
  readonly provider: number;
  /** The probability that a webhook is lost, sent twice, or hours late. */
  readonly webhook: number;
  /**
   * The probability that only a part of a batch of messages is published and the acknowledgement is
   * lost.
   */
  readonly publish: number;
  /** The probability that a worker is killed while it waits for the scheduler or for a response. */
  readonly crash: number;
  /** The probability that a saga's reaction throws. */
  readonly reaction: number;
  /** The probability that time passes while a process waits for its turn. */
  readonly slowness: number;
  /** The probability that time jumps by hours while processes wait. */
  readonly jump: number;
  /** The probability that a worker's clock jumps and drifts, until a time server corrects it. */
  readonly clock: number;
}

export const NO_FAULTS: FaultRates = {
  database: 0,
  provider: 0,
  webhook: 0,
  publish: 0,
  crash: 0,
  reaction: 0,
  slowness: 0,
  jump: 0,
  clock: 0,
};

/**
 * Draws the fault rates of a simulation. The rates vary between seeds, because some bugs appear
 * only when other faults are rare.
 */
export const drawRates = (random: Random): FaultRates => {
  const rate = (most: number): number =>
    random.chance(0.25) ? 0 : (most * random.int(1, 10)) / 10;
  return {
    database: rate(0.04),
    provider: rate(0.3),
    webhook: rate(0.6),
    publish: rate(0.2),
    crash: rate(0.01),
    slowness: rate(0.02),
    jump: rate(0.002),
    reaction: rate(0.1),
    clock: rate(0.002),
  };
};
