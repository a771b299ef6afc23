import type { Pool } from 'pg';
import { Rejection } from '#kernel';

/** The maximum number of endpoints of a platform. */
const MAX_ENDPOINTS = 20;

/**
 * Throws `Rejection('too_many_webhook_endpoints')` if the platform has the maximum number of
 * endpoints. Simultaneous requests may exceed the maximum.
 */
export const mustHaveRoom = async (pool: Pool, platformId: string): Promise<void> => {
  const { rowCount } = await pool.query(
    `SELECT FROM webhook_endpoints WHERE platform_id = $1 AND status <> 'deleted'`,
    [platformId],
  );
  if ((rowCount ?? 0) < MAX_ENDPOINTS) return;
  throw new Rejection(
    'too_many_webhook_endpoints',
    `a platform may have ${MAX_ENDPOINTS} webhook endpoints: delete one that is not needed any more`,
  );
};
