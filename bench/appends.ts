import { newId } from '#kernel';
import { EventStore, type EventMetadata, PostgresLog } from '#log';
import { UPCASTERS } from '#orchestrator';
import { orderAggregate, type OrderCommand } from '#order';
import { Pool } from 'pg';
import { compare, type Comparison, perSecond } from './rounds.js';

const metadata: EventMetadata = {
  correlationId: 'ord_bench',
  causationId: 'bench',
  actor: 'platform:bench',
  traceparent: null,
};

const placeOrder = (): OrderCommand => ({
  type: 'PlaceOrder',
  platformId: 'bench',
  merchantId: 'm',
  accountId: 'acc_bench',
  reference: newId('ref'),
  amountMinor: 1250,
  currency: 'eur',
  capture: { policy: 'automatic' },
  methods: ['card'],
  returnUrl: null,
  description: 'a bench order',
  metadata: {},
  expiresAt: '2026-03-01T11:00:00.000Z' as never,
  at: '2026-03-01T10:00:00.000Z' as never,
});

const cancel: OrderCommand = {
  type: 'RequestCancellation',
  at: '2026-03-01T10:00:00.000Z' as never,
};

/**
 * Bench R1: compares the event store, which appends two events to each new order in two separate
 * commits, with plain single-row inserts, each in its own commit.
 */
export const benchAppends = async (databaseUrl: string, callers: number): Promise<Comparison> => {
  const pool = new Pool({ connectionString: databaseUrl, max: Math.min(callers, 20) });
  try {
    await pool.query(
      `CREATE TABLE IF NOT EXISTS bench_raw (id text PRIMARY KEY, data jsonb NOT NULL)`,
    );
    const store = new EventStore(new PostgresLog(pool), UPCASTERS, null);
    const append = async (): Promise<void> => {
      const id = newId('ord');
      await store.step(metadata, (step) => step.create(orderAggregate, id, placeOrder()));
      await store.step(metadata, (step) => step.execute(orderAggregate, id, cancel));
    };
    const ours = async (forMs: number) => 2 * (await perSecond(callers, forMs, append));
    const raw = (forMs: number) =>
      perSecond(callers, forMs, () =>
        pool.query({
          name: 'raw',
          text: 'INSERT INTO bench_raw (id, data) VALUES ($1, $2)',
          values: [newId('ord'), JSON.stringify(placeOrder())],
        }),
      );
    return await compare(ours, raw);
  } finally {
    await pool.end();
  }
};
