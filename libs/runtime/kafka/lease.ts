import type { Pool } from 'pg';
import { pause } from './pause.js';

/** Thrown when another process may hold the lease by now: the guarded work must stop at once. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * The holder treats its lease as expired this share of its duration before the database does,
 * because clocks drift and timers are late.
 */
const SAFETY_SHARE = 0.2;
const RENEWALS_PER_TTL = 3;

/**
 * A lease held by this process. Its `token` is higher than that of every earlier holder. Guarded
 * rows reject writes with a lower token, so an earlier holder cannot write, however late it
 * continues.
 */
export class HeldLease {
  private validUntilMs: number;

  constructor(
    private readonly pool: Pool,
    readonly name: string,
    /** The fencing token: a `bigint` as decimal text. */
    readonly token: string,
    readonly ttlMs: number,
    askedAtMs: number,
  ) {
    this.validUntilMs = this.until(askedAtMs);
  }

  /** False as soon as the lease has expired by this process's monotonic clock. */
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
    const { rowCount } = await this.pool.query({
      name: 'lease-renew',
      text: `UPDATE leases SET expires_at = clock_timestamp() + $3 * interval '1 ms'
              WHERE name = $1 AND token = $2`,
      values: [this.name, this.token, this.ttlMs],
    });
    if (rowCount !== 1) {
      this.validUntilMs = 0;
      throw new LeaseLost(`the lease ${this.name} was taken over`);
    }
    this.validUntilMs = this.until(askedAtMs);
  }

  /** Releases the lease, so that the next holder can acquire it at once. */
  async release(): Promise<void> {
    this.validUntilMs = 0;
    await this.pool.query(
      'UPDATE leases SET expires_at = clock_timestamp() WHERE name = $1 AND token = $2',
      [this.name, this.token],
    );
  }

  /**
   * The expiry counts from the request, not from the response, so it is never later than the
   * database's.
   */
  private until(askedAtMs: number): number {
    return askedAtMs + this.ttlMs * (1 - SAFETY_SHARE);
  }
}

/**
 * An exclusive right of one process. It expires by the database's clock, so the clocks of the
 * processes do not matter.
 */
export class Lease {
  constructor(
    private readonly pool: Pool,
    readonly name: string,
    /** Identifies this process in the table, for operators. */
    private readonly holder: string,
    readonly ttlMs: number,
  ) {}

  /** Acquires the lease if it is free or has expired; else `null`. */
  async acquire(): Promise<HeldLease | null> {
    const askedAtMs = performance.now();
    const { rows } = await this.pool.query<{ token: string }>({
      name: 'lease-acquire',
      text: `INSERT INTO leases AS l (name, holder, token, expires_at)
             VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 ms')
             ON CONFLICT (name) DO UPDATE
                SET holder = excluded.holder, token = l.token + 1, expires_at = excluded.expires_at
              WHERE l.expires_at <= clock_timestamp()
             RETURNING token`,
      values: [this.name, this.holder, this.ttlMs],
    });
    const token = rows[0]?.token;
    if (token === undefined) return null;
    return new HeldLease(this.pool, this.name, token, this.ttlMs, askedAtMs);
  }
}

/**
 * Extends a lease periodically while the guarded work runs, however long a step of the work takes.
 * Resolves on the signal, or when the lease is lost: `isHeld` shows which of the two.
 */
export const keepHeld = async (
  held: HeldLease,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<void> => {
  for (;;) {
    await pause(held.ttlMs / RENEWALS_PER_TTL, signal);
    if (signal.aborted) return;
    try {
      await held.renew();
    } catch (error) {
      // A failed extension is not a lost lease: the database may be unavailable only briefly, and
      // the lease is valid until it expires.
      if (!held.isHeld()) return;
      onFailure(error);
    }
  }
};
