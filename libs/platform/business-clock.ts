import { type Clock, type Instant, instantFromMs, msOf, parseInstant, wallClock } from '#kernel';
import { type Logger } from './logger.js';
import { clockUrlFromEnv } from './production.js';

/**
 * The polling interval, in wall time, while the clock at CLOCK_URL is moved or does not run in real
 * time.
 */
const READ_EVERY_MS = 250;
/**
 * The polling interval while the clock at CLOCK_URL runs in real time. The interval can be long,
 * because that clock notifies this process of each move, and the process polls more often for a
 * while after a move.
 */
const READ_STEADY_EVERY_MS = 1_000;
const MOVING_FOR_MS = 5_000;
const READ_TIMEOUT_MS = 2_000;

interface Reading {
  readonly businessMs: number;
  readonly atMs: number;
  readonly rate: number;
}

/** Business time, with functions to move it and to stop reading the clock at CLOCK_URL. */
export interface BusinessClock extends Clock {
  /** Sets business time to at least this instant, which the clock at CLOCK_URL sent us. */
  moveTo(now: Instant): void;
  /** `listener` is called each time that the clock at CLOCK_URL has been moved. */
  onMoved(listener: () => void): void;
  stop(): void;
}

/**
 * Takes the time from the clock of another process, which can be moved forward or run at a
 * different rate. Business time never goes back.
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

  /** Polls the clock from now on, until `stop`. */
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
   * Reads the clock at CLOCK_URL once; if it does not respond, time continues from the last read.
   */
  private async read(): Promise<void> {
    try {
      const answer = await fetch(this.url, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
      const { now, rate } = (await answer.json()) as { now: string; rate: number };
      this.reading = { businessMs: msOf(parseInstant(now)), atMs: performance.now(), rate };
    } catch (err) {
      this.logger.debug({ err }, 'the clock at CLOCK_URL does not respond');
    }
  }
}

/**
 * The clock of business time: real time, or in development the clock at CLOCK_URL, whose `GET`
 * returns `{"now","rate"}`. That clock is read before this function resolves, then each second, and
 * more often while the clock is moved.
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
