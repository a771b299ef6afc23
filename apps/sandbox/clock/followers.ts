import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { type Instant, parseInstant } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { Database } from '../storage/database.js';
import { earliest } from './earliest.js';

/**
 * The time limit for a follower's response. An unreachable follower is retried for the same time,
 * because it may be restarting: a follower that is removed would continue with a wrong clock
 * without noticing. See docs/provider/payments-completion.md#states.
 */
const RESPONSE_TIMEOUT_MS = 30_000;
const RETRY_AFTER_MS = 200;
const MAX_ANSWER_BYTES = 16_384;

const ADD = {
  name: 'followers:add',
  text: 'INSERT INTO clock_followers (url) VALUES ($1) ON CONFLICT DO NOTHING',
};
const ALL = {
  name: 'followers:all',
  text: 'SELECT url FROM clock_followers ORDER BY registered_wall_at, url',
};
const DROP = { name: 'followers:drop', text: 'DELETE FROM clock_followers WHERE url = $1' };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The instant `next` of a follower's response such as `{"next": "2026-03-01T12:00:00Z"}`; null when
 * the response has none.
 */
const nextIn = (text: string): Instant | null => {
  if (text.trim() === '') return null;
  try {
    const { next } = JSON.parse(text) as { next?: unknown };
    return typeof next === 'string' ? parseInstant(next) : null;
  } catch {
    return null; // A 200 with any other body means idle.
  }
};

/**
 * Reads the first `MAX_ANSWER_BYTES` of a response; the connection of a longer response is closed.
 */
const firstBytes = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_ANSWER_BYTES);
};

/**
 * Notifies the registered clients (followers) of each instant at which the moving clock stops; a
 * follower responds when it has no work left.
 */
@Injectable()
export class Followers implements OnApplicationShutdown {
  /** How long a follower may take to respond with 200 before it is removed; shorter in specs. */
  responseTimeoutMs = RESPONSE_TIMEOUT_MS;
  private readonly agent = new Agent({
    connections: 4,
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
  });

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Idempotent. */
  async add(url: string): Promise<void> {
    await this.database.query(ADD, [url]);
  }

  /**
   * Notifies every follower of the time and waits until each is idle. Returns the earliest instant
   * after `now` at which a follower has work due. A follower that does not respond with 200 in time
   * is removed.
   */
  async notify(now: Instant): Promise<Instant | null> {
    const known = await this.database.query<{ url: string }>(ALL);
    const nexts = await Promise.all(known.map(({ url }) => this.notifyOne(url, now)));
    return earliest(nexts.filter((at) => at !== null && at > now));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private async notifyOne(url: string, now: Instant): Promise<Instant | null> {
    const begun = Date.now();
    let lastError = '';
    for (;;) {
      const elapsedMs = Date.now() - begun;
      try {
        const answer = await this.post(url, now, this.responseTimeoutMs - elapsedMs);
        if (answer.status === 200) return nextIn(answer.text);
        lastError = `the follower responded with ${answer.status}`;
      } catch (error) {
        lastError = error instanceof Error ? error.message : 'failed';
      }
      if (Date.now() - begun + RETRY_AFTER_MS > this.responseTimeoutMs) break;
      await pause(RETRY_AFTER_MS);
    }
    await this.database.query(DROP, [url]);
    this.logger.warn(
      { url, lastError, now },
      'removed a follower of the clock that did not respond; the follower must register again',
    );
    return null;
  }

  private async post(
    url: string,
    now: Instant,
    timeoutMs: number,
  ): Promise<{ status: number; text: string }> {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      dispatcher: this.agent,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ now }),
      signal: AbortSignal.timeout(Math.max(1, timeoutMs)),
    });
    return { status: statusCode, text: await firstBytes(body) };
  }
}
