import type { Pool, PoolClient } from 'pg';
import type { EventOf, Handlers } from 'payment-orchestrator-subscriber';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS shipments (
  order_id     text        PRIMARY KEY,
  status       text        NOT NULL CHECK (status IN ('shipped', 'stopped', 'returned')),
  amount_minor bigint      NOT NULL,
  currency     text        NOT NULL,
  updated_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- One row for each executed effect: an effect that was executed twice would have two rows.
CREATE TABLE IF NOT EXISTS shipment_steps (
  id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text        NOT NULL REFERENCES shipments,
  step     text        NOT NULL,
  because  text        NOT NULL,
  at       timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS shipment_steps_order ON shipment_steps (order_id, id)`;

type Status = 'shipped' | 'stopped' | 'returned';

export interface Shipment {
  readonly orderId: string;
  readonly status: Status;
  readonly amountMinor: number;
  readonly currency: string;
  readonly steps: readonly {
    readonly step: Status;
    readonly because: string;
    readonly at: string;
  }[];
}

export const createTables = async (pool: Pool): Promise<void> => {
  // The statements are sent as one query, so that PostgreSQL runs them in one transaction. The lock
  // prevents an error when several processes start concurrently.
  await pool.query(`SELECT pg_advisory_xact_lock(1); ${SCHEMA}`);
};

/** The latest shipments, the newest first. */
export const listShipments = async (pool: Pool, limit = 200): Promise<readonly Shipment[]> => {
  const { rows } = await pool.query<Shipment>(
    `SELECT order_id AS "orderId", status, amount_minor::float8 AS "amountMinor", currency,
            (SELECT json_agg(json_build_object('step', step, 'because', because, 'at', at)
                             ORDER BY id)
               FROM shipment_steps WHERE shipment_steps.order_id = shipments.order_id) AS steps
       FROM shipments ORDER BY updated_at DESC LIMIT $1`,
    [limit],
  );
  return rows;
};

type ShipmentEvent = EventOf<
  'OrderPaid' | 'OrderChargedBack' | 'OrderDebitReturned' | 'OrderPaymentVoided' | 'OrderRefunded'
>;

const record = async (event: ShipmentEvent, step: Status, tx: PoolClient): Promise<void> => {
  await tx.query(
    'INSERT INTO shipment_steps (order_id, step, because, at) VALUES ($1, $2, $3, $4)',
    [event.subject, step, event.type, event.time],
  );
};

const ship = async (event: EventOf<'OrderPaid'>, tx: PoolClient): Promise<void> => {
  // The handler need not check for repeated events, because the subscriber handles each event once.
  await tx.query(
    `INSERT INTO shipments (order_id, status, amount_minor, currency)
     VALUES ($1, 'shipped', $2, $3) ON CONFLICT (order_id) DO NOTHING`,
    [event.subject, event.data.amountMinor, event.data.currency],
  );
  await record(event, 'shipped', tx);
};

/**
 * Stores the captured amount of the order, because the shipment is stopped only when all captured
 * amounts are refunded.
 */
const changeAmount = async (
  event: EventOf<'OrderCaptured' | 'OrderCaptureCorrected'>,
  tx: PoolClient,
): Promise<void> => {
  await tx.query(
    'UPDATE shipments SET amount_minor = $2, updated_at = clock_timestamp() WHERE order_id = $1',
    [event.subject, event.data.paidMinor],
  );
};

/**
 * Stops the shipment, because the payment was charged back, returned by the payer's bank, or
 * canceled before clearing.
 */
const stop = async (
  event: EventOf<'OrderChargedBack' | 'OrderDebitReturned' | 'OrderPaymentVoided'>,
  tx: PoolClient,
): Promise<void> => {
  await changeTo('stopped', event, tx);
};

const reverse = async (event: EventOf<'OrderRefunded'>, tx: PoolClient): Promise<void> => {
  const { rows } = await tx.query<{ amountMinor: number }>(
    'SELECT amount_minor::float8 AS "amountMinor" FROM shipments WHERE order_id = $1',
    [event.subject],
  );
  const [shipment] = rows;
  if (shipment && event.data.refundedMinor >= shipment.amountMinor) {
    await changeTo('returned', event, tx);
  }
};

const changeTo = async (status: Status, event: ShipmentEvent, tx: PoolClient): Promise<void> => {
  await tx.query(
    'UPDATE shipments SET status = $2, updated_at = clock_timestamp() WHERE order_id = $1',
    [event.subject, status],
  );
  await record(event, status, tx);
};

/**
 * Inserts or stops the shipment of an order, by event type. Each handler writes in the transaction
 * in which the subscriber stores the handled version.
 */
export const shipmentHandlers: Handlers<PoolClient> = {
  OrderPaid: ship,
  OrderCaptured: changeAmount,
  OrderCaptureCorrected: changeAmount,
  OrderChargedBack: stop,
  OrderDebitReturned: stop,
  OrderPaymentVoided: stop,
  OrderRefunded: reverse,
};
