import type { Pool } from 'pg';
import { Rejection } from '#kernel';
import { firstRow } from '#platform';
import { type Action, NOTHING, type Target } from './action.js';

/** The maximum number of deliveries that one request sends again. */
const MAX_REDELIVERED = 10_000;

const OPEN = `
  SELECT e.status, e.host, d.open
    FROM webhook_endpoints e
   CROSS JOIN LATERAL (
     SELECT count(*)::int AS open FROM webhook_deliveries d
      WHERE d.endpoint_id = e.id AND d.state IN ('pending', 'failed')
        AND ($2::text[] IS NULL OR d.id = ANY ($2))) d
   WHERE e.id = $1 AND e.status <> 'deleted'`;

interface Row {
  readonly status: 'enabled' | 'disabled';
  readonly host: string;
  readonly open: number;
}

const openOf = async (
  pool: Pick<Pool, 'query'>,
  { subjectId, deliveryIds }: Target,
): Promise<Row> => {
  const row = await firstRow<Row>(pool, OPEN, [subjectId, deliveryIds ?? null]);
  if (row === undefined) {
    throw new Rejection('entity_not_found', 'no webhook endpoint has this id');
  }
  if (row.status === 'disabled') {
    throw new Rejection(
      'webhook_endpoint_disabled',
      'the webhook endpoint is disabled: enable it before this request',
    );
  }
  if (row.open > 0) return row;
  throw new Rejection('no_open_delivery', 'none of these deliveries is pending or failed');
};

/**
 * Sends pending and failed deliveries of a webhook endpoint now: the selected ones, or all. The
 * deliveries about one subject are sent in order, and each delivery gets a new series of attempts.
 * One person is enough for this action, because two people approved the receiver when the endpoint
 * was created.
 */
export const redeliverWebhooks = (pool: Pool): Action => ({
  takesTwo: false,
  subjectOf: ({ subjectId }) => ({ type: 'webhook_endpoint', id: subjectId }),
  preview: async ({ target }) => {
    const { host, open } = await openOf(pool, target);
    const openCount = Math.min(open, MAX_REDELIVERED);
    const laterCount = open - openCount;
    return { ...NOTHING, follows: [{ code: 'webhooks_sent', host, openCount, laterCount }] };
  },
  executedAs: 'rows',
  execute: async ({ target }, client) => {
    await openOf(client, target);
    const { rows } = await client.query<{ count: number }>(
      'SELECT redeliver_open_webhooks($1, $2, $3) AS count',
      [target.subjectId, target.deliveryIds ?? null, MAX_REDELIVERED],
    );
    return { count: rows[0]?.count ?? 0 };
  },
});
