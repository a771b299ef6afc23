import type { Pool } from 'pg';
import { newId } from '#kernel';

/**
 * Adds deliveries of an endpoint: the first has failed, the others wait behind it. Returns their
 * ids, oldest first.
 */
export const openDeliveries = async (
  pool: Pool,
  endpointId: string,
  count = 2,
): Promise<readonly string[]> => {
  const ids = Array.from({ length: count }, () => newId('whm'));
  await pool.query(
    `INSERT INTO webhook_deliveries (id, endpoint_id, platform_id, event_id, event_type, stream_type,
                                     stream_id, version, state, tries, created_at, ended_at, attempts)
     SELECT id, $1, 'shop', gen_random_uuid(), 'OrderPaid', 'order', 'ord_' || $1, n,
            CASE n WHEN 1 THEN 'failed' ELSE 'pending' END, CASE n WHEN 1 THEN 15 ELSE 0 END,
            -- Later than the deliveries that the endpoint already has, even within a millisecond.
            clock_timestamp() + (n + (SELECT count(*) FROM webhook_deliveries d
                                       WHERE d.endpoint_id = $1)) * interval '1 millisecond',
            CASE n WHEN 1 THEN now() END,
            CASE n WHEN 1 THEN '[{"status": 503}]'::jsonb ELSE '[]' END
       FROM unnest($2::text[]) WITH ORDINALITY AS given (id, n)`,
    [endpointId, ids],
  );
  return ids;
};
