import type { Pool } from 'pg';

/**
 * How long a renewal waits for further renewals by this process, which are then executed in one
 * statement and one commit. Leases that were renewed together are due together the next time.
 */
export const SHARED_WITHIN_MS = 250;

interface Renewal {
  readonly name: string;
  readonly token: string;
  readonly ttlMs: number;
  readonly renewed: (isOurs: boolean) => void;
  readonly failed: (error: unknown) => void;
}

const keyOf = ({ name, token }: Pick<Renewal, 'name' | 'token'>): string => `${name} ${token}`;

/** Renews the leases of a process, several by one statement. */
class LeaseRenewals {
  private waiting: Renewal[] = [];

  constructor(private readonly pool: Pool) {}

  /** Resolves to whether this process still holds the lease; rejects if the statement fails. */
  renew(name: string, token: string, ttlMs: number): Promise<boolean> {
    return new Promise((renewed, failed) => {
      this.waiting.push({ name, token, ttlMs, renewed, failed });
      if (this.waiting.length === 1) setTimeout(() => void this.send(), SHARED_WITHIN_MS);
    });
  }

  private async send(): Promise<void> {
    const sent = this.waiting;
    this.waiting = [];
    try {
      const { rows } = await this.pool.query<{ name: string; token: string }>({
        name: 'leases-renew',
        text: `UPDATE leases l SET expires_at = clock_timestamp() + r.ttl_ms * interval '1 ms'
                 FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS r (name, token, ttl_ms)
                WHERE l.name = r.name AND l.token = r.token
               RETURNING l.name, l.token`,
        values: [
          sent.map(({ name }) => name),
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
