import type { Pool } from 'pg';
import { renewalsOf, SHARED_WITHIN_MS } from './lease-renewals.js';
import { pause } from './pause.js';

/**
 * Thrown if another process may hold the lease by now: stop the work that the lease protects
 * immediately.
 */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * The holder considers its lease expired earlier than the database does, by this share of the
 * lease's duration, because clocks drift and timers are late.
 */
const SAFETY_SHARE = 0.2;
const RENEWALS_PER_TTL = 3;

/**
 * A lease that this process holds. Its `token` is higher than that of every earlier holder. Rows
 * that the lease protects reject writes with a lower token, so an earlier holder cannot write to
 * these rows, no matter when it continues.
 */
export class HeldLease {
  private validUntilMs: number;

  constructor(
    private readonly pool: Pool,
    readonly name: string,
    /** The fencing token: a `bigint` as decimal text. */
    readonly token: string,
    readonly ttlMs: number,
    private readonly holder: string,
    askedAtMs: number,
  ) {
    this.validUntilMs = this.until(askedAtMs);
  }

  /** False as soon as the lease has expired by the monotonic clock of this process. */
  isHeld(): boolean {
    return performance.now() < this.validUntilMs;
  }

  /** @throws LeaseLost if the lease has expired by this process's clock. */
  requireHeld(): void {
    if (!this.isHeld()) throw new LeaseLost(`the lease ${this.name} has expired`);
  }

  /**
   * Extends the lease. @throws LeaseLost if another process holds it.
   */
  async renew(): Promise<void> {
    const askedAtMs = performance.now();
    const { name, holder, token, ttlMs } = this;
    const isOurs = await renewalsOf(this.pool).renew({ name, holder, token, ttlMs });
    if (!isOurs) {
      this.validUntilMs = 0;
      throw new LeaseLost(`another process has acquired the lease ${this.name}`);
    }
    this.validUntilMs = this.until(askedAtMs);
  }

  /** Releases the lease, so that another process can acquire it immediately. */
  async release(): Promise<void> {
    this.validUntilMs = 0;
    await this.pool.query(
      `UPDATE leases SET expires_at = clock_timestamp()
        WHERE (name, holder, token) = ($1, $2, $3)`,
      [this.name, this.holder, this.token],
    );
  }

  /**
   * The duration is counted from the request and not from the response, so for this process the
   * lease never ends later than for the database.
   */
  private until(askedAtMs: number): number {
    return askedAtMs + this.ttlMs * (1 - SAFETY_SHARE);
  }
}

/**
 * A function of the database that is called by each statement which acquires the lease, with the
 * token and this argument. So there is no token for which the function was not called, even if the
 * response to the statement is lost, or the process ends.
 */
export interface AcquiredCall {
  readonly name: string;
  readonly argument: string;
}

/**
 * A right that only one process has at a time, across all processes. A lease expires by the
 * database's clock, so differences between the clocks of the processes do not matter.
 */
export class Lease {
  constructor(
    private readonly pool: Pool,
    readonly name: string,
    /** Identifies this process in the table, for operators. */
    private readonly holder: string,
    readonly ttlMs: number,
    private readonly acquired: AcquiredCall | null = null,
  ) {}

  /** Acquires the lease; returns `null` if a process holds the lease. */
  async acquire(): Promise<HeldLease | null> {
    const askedAtMs = performance.now();
    const { acquired } = this;
    const call = acquired === null ? '' : `, ${acquired.name}(token, $4)`;
    const { rows } = await this.pool.query<{ token: string }>({
      name: acquired === null ? 'lease-acquire' : `lease-acquire-${acquired.name}`,
      text: `WITH acquired AS (
               INSERT INTO leases AS l (name, holder, token, expires_at)
               VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 ms')
               ON CONFLICT (name) DO UPDATE
                  SET holder = excluded.holder, token = l.token + 1,
                      expires_at = excluded.expires_at
                WHERE l.expires_at <= clock_timestamp()
               RETURNING token)
             SELECT token${call} FROM acquired`,
      values: [this.name, this.holder, this.ttlMs, ...(acquired ? [acquired.argument] : [])],
    });
    const token = rows[0]?.token;
    if (token === undefined) return null;
    return new HeldLease(this.pool, this.name, token, this.ttlMs, this.holder, askedAtMs);
  }
}

/**
 * Extends a lease periodically while the work that it protects runs, even if the work takes long.
 * Resolves when the signal is aborted or the lease is lost: `isHeld` shows which of the two
 * happened.
 */
export const keepHeld = async (
  held: HeldLease,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<void> => {
  for (;;) {
    await pause(Math.max(0, held.ttlMs / RENEWALS_PER_TTL - SHARED_WITHIN_MS), signal);
    if (signal.aborted) return;
    try {
      await held.renew();
    } catch (error) {
      // A failed extension does not mean that the lease is lost: the database may be unavailable
      // only for a moment, and the lease is valid until it expires.
      if (!held.isHeld()) return;
      onFailure(error);
    }
  }
};
