import type { Pool } from 'pg';

/**
 * How long a renewal waits for further renewals by this process, which are then executed in one
 * statement and one commit. Leases that were renewed together are due together the next time.
 */
export const SHARED_WITHIN_MS = 250;

interface Held {
  readonly name: string;
  /**
   * Compared, too, because a promoted standby may not have the last acquisition of the lease, and
   * gives its token to the next holder.
   */
  readonly holder: string;
  readonly token: string;
  readonly ttlMs: number;
}

interface Renewal extends Held {
  readonly renewed: (isOurs: boolean) => void;
  readonly failed: (error: unknown) => void;
}

const keyOf = ({ name, holder, token }: Pick<Held, 'name' | 'holder' | 'token'>): string =>
  JSON.stringify([name, holder, token]);

/** Renews the leases of a process, several by one statement. */
class LeaseRenewals {
  private waiting: Renewal[] = [];

  constructor(private readonly pool: Pool) {}

  /** Resolves to whether this process still holds the lease; rejects if the statement fails. */
  renew(held: Held): Promise<boolean> {
    return new Promise((renewed, failed) => {
      this.waiting.push({ ...held, renewed, failed });
      if (this.waiting.length === 1) setTimeout(() => void this.send(), SHARED_WITHIN_MS);
    });
  }

  private async send(): Promise<void> {
    const sent = this.waiting;
    this.waiting = [];
    try {
      const { rows } = await this.pool.query<Held>({
        name: 'leases-renew',
        text: `UPDATE leases l SET expires_at = clock_timestamp() + r.ttl_ms * interval '1 ms'
                 FROM unnest($1::text[], $2::text[], $3::bigint[], $4::integer[])
                      AS r (name, holder, token, ttl_ms)
                WHERE (l.name, l.holder, l.token) = (r.name, r.holder, r.token)
               RETURNING l.name, l.holder, l.token`,
        values: [
          sent.map(({ name }) => name),
          sent.map(({ holder }) => holder),
          sent.map(({ token }) => token),
          sent.map(({ ttlMs }) => ttlMs),
        ],
      });
      const ours = new Set(rows.map(keyOf));
      for (const renewal of sent) renewal.renewed(ours.has(keyOf(renewal)));
    } catch (error) {
      for (const { failed } of sent) failed(error);
    }
  }
}

const OF_POOLS = new WeakMap<Pool, LeaseRenewals>();

/** The renewals of the leases that were acquired with this pool. */
export const renewalsOf = (pool: Pool): LeaseRenewals => {
  const known = OF_POOLS.get(pool);
  if (known !== undefined) return known;
  const renewals = new LeaseRenewals(pool);
  OF_POOLS.set(pool, renewals);
  return renewals;
};
