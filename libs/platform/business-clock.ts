import { type Clock, type Instant, instantFromMs, msOf, parseInstant, wallClock } from '#kernel';
import { type Logger } from './logger.js';
import { clockUrlFromEnv } from './production.js';

const READ_EVERY_MS = 250;
const READ_TIMEOUT_MS = 2_000;

interface Reading {
  readonly businessMs: number;
  readonly atMs: number;
  readonly rate: number;
}

/** Business time, and the end of following it. */
export interface BusinessClock extends Clock {
  /** Business time is this now, or later: what the followed clock says when it calls. */
  moveTo(now: Instant): void;
  /** `listener` is called each time the followed clock has moved us. */
  onMoved(listener: () => void): void;
  stop(): void;
}

/** Follows a clock that can be moved forward or run at a rate. Never goes back. */
class FollowedClock implements BusinessClock {
  private reading: Reading = { businessMs: Date.now(), atMs: performance.now(), rate: 1 };
  private latestMs = 0;
  private readonly listeners: (() => void)[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => void this.read(), READ_EVERY_MS);
    this.timer.unref();
  }

  now(): Instant {
    const { businessMs, atMs, rate } = this.reading;
    this.latestMs = Math.max(this.latestMs, businessMs + (performance.now() - atMs) * rate);
    return instantFromMs(Math.floor(this.latestMs));
  }

  moveTo(now: Instant): void {
    this.reading = { ...this.reading, businessMs: msOf(now), atMs: performance.now() };
    this.latestMs = Math.max(this.latestMs, msOf(now));
    for (const listener of this.listeners) listener();
  }

  onMoved(listener: () => void): void {
    this.listeners.push(listener);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** One look at the followed clock; when it does not answer, time goes on as last known. */
  async read(): Promise<void> {
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
 * The clock of business time: real time, or in development the clock at CLOCK_URL
 * (`GET` answers `{"now","rate"}`), read once before this resolves and then four times a second.
 */
export const startBusinessClock = async (
  logger: Logger,
  url: string | undefined = clockUrlFromEnv(),
): Promise<BusinessClock> => {
  if (url === undefined) {
    return { ...wallClock, moveTo: () => {}, onMoved: () => {}, stop: () => {} };
  }
  const clock = new FollowedClock(url, logger);
  await clock.read();
  return clock;
};
