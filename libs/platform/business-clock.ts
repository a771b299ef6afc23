import { type Clock, type Instant, instantFromMs, msOf, parseInstant, wallClock } from '#kernel';
import { type Logger } from './logger.js';
import { clockUrlFromEnv } from './production.js';

/**
 * The polling interval while the followed clock is moved or does not run in real time. Wall time.
 */
const READ_EVERY_MS = 250;
/**
 * The polling interval while the followed clock runs in real time. It can be long: a client that
 * moves the clock calls us, and then we poll often for a while.
 */
const READ_STEADY_EVERY_MS = 1_000;
const MOVING_FOR_MS = 5_000;
const READ_TIMEOUT_MS = 2_000;

interface Reading {
  readonly businessMs: number;
  readonly atMs: number;
  readonly rate: number;
}

/** Business time, with functions to move it and to stop following the clock. */
export interface BusinessClock extends Clock {
  /** Sets business time to at least this instant, which the followed clock sent in its call. */
  moveTo(now: Instant): void;
  /** `listener` is called each time the followed clock has moved. */
  onMoved(listener: () => void): void;
  stop(): void;
}

/**
 * Follows a clock that can be moved forward or run at a different rate. Business time never goes
 * back.
 */
class FollowedClock implements BusinessClock {
  private reading: Reading = { businessMs: Date.now(), atMs: performance.now(), rate: 1 };
  private latestMs = 0;
  private readonly listeners: (() => void)[] = [];
  private movedAtMs = -Infinity;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
  ) {}

  now(): Instant {
    const { businessMs, atMs, rate } = this.reading;
    this.latestMs = Math.max(this.latestMs, businessMs + (performance.now() - atMs) * rate);
    return instantFromMs(Math.floor(this.latestMs));
  }

  moveTo(now: Instant): void {
    this.reading = { ...this.reading, businessMs: msOf(now), atMs: performance.now() };
    this.latestMs = Math.max(this.latestMs, msOf(now));
    const isFirst = this.isSteady();
    this.movedAtMs = performance.now();
    if (isFirst && this.timer !== null) this.readLater();
    for (const listener of this.listeners) listener();
  }

  onMoved(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Polls the followed clock from now on, until `stop`. */
  async start(): Promise<void> {
    await this.read();
    this.readLater();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private isSteady(): boolean {
    return this.reading.rate === 1 && performance.now() - this.movedAtMs > MOVING_FOR_MS;
  }

  private readLater(): void {
    this.stop();
    const afterMs = this.isSteady() ? READ_STEADY_EVERY_MS : READ_EVERY_MS;
    const timer = setTimeout(
      () =>
        void this.read().then(() => {
          if (this.timer === timer) this.readLater();
        }),
      afterMs,
    );
    this.timer = timer.unref();
  }

  /**
   * Reads the followed clock once; without a response, time continues from the last known state.
   */
  private async read(): Promise<void> {
    try {
      const answer = await fetch(this.url, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
      const { now, rate } = (await answer.json()) as { now: string; rate: number };
      this.reading = { businessMs: msOf(parseInstant(now)), atMs: performance.now(), rate };
    } catch (err) {
      this.logger.debug({ err }, 'the followed clock does not answer');
    }
  }
}

/**
 * The clock of business time: real time, or in development the clock at CLOCK_URL (`GET` returns
 * `{"now","rate"}`), read once before this resolves and then each second, more often while it is
 * moved.
 */
export const startBusinessClock = async (
  logger: Logger,
  url: string | undefined = clockUrlFromEnv(),
): Promise<BusinessClock> => {
  if (url === undefined) {
    return { ...wallClock, moveTo: () => {}, onMoved: () => {}, stop: () => {} };
  }
  const clock = new FollowedClock(url, logger);
  await clock.start();
  return clock;
};
