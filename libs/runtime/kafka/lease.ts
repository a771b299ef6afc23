import type { Pool } from 'pg';
import { pause } from './pause.js';

/** Another process may hold the lease by now: the guarded work must stop at once. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** How much earlier than the database we take the lease for over: clocks drift, timers are late. */
const SAFETY_SHARE = 0.2;
const RENEWALS_PER_TTL = 3;

/**
 * A lease that this process holds. `token` is higher than that of every holder before: writes that
 * carry it into the guarded rows keep an earlier holder out, however late it wakes up.
 */
export class HeldLease {
  private validUntilMs: number;

  constructor(
    private readonly pool: Pool,
    readonly name: string,
    /** `bigint` as decimal text. */
    readonly token: string,
    readonly ttlMs: number,
    askedAtMs: number,
  ) {
    this.validUntilMs = this.until(askedAtMs);
  }

  /** False once the time that was last granted is over by our own, monotonic clock. */
  isHeld(): boolean {
    return performance.now() < this.validUntilMs;
  }

  /** @throws LeaseLost when the lease has run out by our own clock. */
  requireHeld(): void {
    if (!this.isHeld()) throw new LeaseLost(`the lease ${this.name} ran out`);
  }

  /** Prolongs the lease. @throws LeaseLost when another holder has it. */
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

  /** Lets the next holder in at once. */
  async release(): Promise<void> {
    this.validUntilMs = 0;
    await this.pool.query(
      'UPDATE leases SET expires_at = clock_timestamp() WHERE name = $1 AND token = $2',
      [this.name, this.token],
    );
  }

  /** From when we asked, not from when the answer came: never later than the database's time. */
  private until(askedAtMs: number): number {
    return askedAtMs + this.ttlMs * (1 - SAFETY_SHARE);
  }
}

/**
 * The right to be the only one who does something. Kept in database time, so the clocks of the
 * processes do not matter.
 */
export class Lease {
  constructor(
    private readonly pool: Pool,
    readonly name: string,
    /** Names this process in the table, for operators. */
    private readonly holder: string,
    readonly ttlMs: number,
  ) {}

  /** The lease if it is free or has run out, else `null`. */
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
 * Prolongs a lease by time, beside the work that it guards and however long a part of that takes.
 * Resolves when the signal comes, or when the lease is lost: `isHeld` shows which.
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
      // The database may only be away for a moment: the lease is ours until its time is over.
      if (!held.isHeld()) return;
      onFailure(error);
    }
  }
};
