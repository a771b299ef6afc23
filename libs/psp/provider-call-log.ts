import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Clock, Instant } from '#kernel';
import type { Logger } from '#platform';

/**
 * One request to the provider and its result, without the API key. The adapter has removed personal
 * data from both, because only the adapter knows the provider's fields.
 */
export interface ObservedExchange {
  readonly method: string;
  /** The path with a placeholder for the id, e.g. `/v2/payment_intents/{id}/capture`. */
  readonly pathTemplate: string;
  readonly objectId: string | null;
  /** Our id in the object of the provider; null if the object contains no id of ours. */
  readonly reference: string | null;
  readonly request: unknown;
  /** The HTTP status; null if no response arrived. */
  readonly status: number | null;
  readonly answer: unknown;
  /** Why there is no response, e.g. `timeout`. */
  readonly failure: string | null;
  readonly durationMs: number;
}

export type ExchangeListener = (exchange: ObservedExchange) => void;

const FLUSH_EVERY_MS = 500;
const FLUSH_AT = 200;
/**
 * The maximum number of entries that are not written yet, including those of a statement that is
 * running. Further entries are dropped, because this log must not delay the requests, nor fill the
 * memory while the database does not respond.
 */
const MAX_UNWRITTEN = 2_000;

const INSERT = `
  INSERT INTO api_requests
         (at, business_at, method, path, object_id, reference, request, status, answer, failure, duration_ms)
  SELECT c.at, c.business_at, c.method, c.path, c.object_id, c.reference, c.request, c.status, c.answer,
         c.failure, c.duration_ms
    FROM json_to_recordset($1::json)
         AS c(at timestamptz, business_at timestamptz, method text, path text, object_id text,
              reference text, request json, status smallint, answer json, failure text, duration_ms integer),
         set_config('synchronous_commit', 'off', true)`;

const rowOf = ({ at, businessAt, exchange }: Waiting): object => ({
  at,
  business_at: businessAt,
  method: exchange.method,
  path: exchange.pathTemplate,
  object_id: exchange.objectId,
  reference: exchange.reference,
  request: exchange.request,
  status: exchange.status,
  answer: exchange.answer,
  failure: exchange.failure,
  duration_ms: Math.round(exchange.durationMs),
});

interface Waiting {
  /** The wall time of the request. Entries are deleted some days after it. */
  readonly at: string;
  readonly businessAt: Instant;
  readonly exchange: ObservedExchange;
}

/**
 * Stores our requests to the provider and its responses for some days, without personal data, for
 * operators who investigate a payment. Entries are written in batches. An entry that cannot be
 * written is dropped, and no request waits for it.
 */
@Injectable()
export class ProviderCallLog implements OnApplicationShutdown {
  private waiting: Waiting[] = [];
  private writing: Promise<void> = Promise.resolve();
  private unwritten = 0;
  private dropped = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {}

  readonly note: ExchangeListener = (exchange) => {
    if (this.unwritten >= MAX_UNWRITTEN) {
      this.dropped += 1;
      return;
    }
    this.unwritten += 1;
    const at = new Date().toISOString();
    this.waiting.push({ at, businessAt: this.clock.now(), exchange });
    if (this.waiting.length >= FLUSH_AT) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), FLUSH_EVERY_MS).unref();
  };

  /** Resolves when all earlier entries are written or dropped. */
  flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const batch = this.waiting;
    this.waiting = [];
    if (batch.length > 0) this.writing = this.writing.then(() => this.write(batch));
    return this.writing;
  }

  /**
   * Writes the last entries of the log; the loops that send requests to the provider have already
   * stopped.
   */
  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.pool.query({
        name: 'provider-calls',
        text: INSERT,
        values: [JSON.stringify(batch.map(rowOf))],
      });
    } catch (err) {
      this.logger.debug({ err, calls: batch.length }, 'provider requests could not be logged');
    }
    this.unwritten -= batch.length;
    if (this.dropped === 0) return;
    this.logger.debug({ calls: this.dropped }, 'provider requests were not logged: too many wait');
    this.dropped = 0;
  }
}
