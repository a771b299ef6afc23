import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import type { WebhookFaultKind } from '../faults/fault.js';
import { Database } from '../storage/database.js';
import type { ClaimedAttempt } from './delivery-store.js';

/**
 * Reverts the claim of a delivery and schedules it again, unless its endpoint is disabled or
 * deleted.
 */
const REVERT_CLAIM = {
  name: 'deliveries:put-back',
  text: `
    WITH unlogged AS (
      DELETE FROM delivery_attempts WHERE delivery_id = $1 AND attempt = $2
    ), reverted AS (
      UPDATE deliveries d
      SET status = CASE WHEN $3 <> 'waiting' OR wanted THEN $3 ELSE 'dropped' END,
          due_at = CASE WHEN wanted THEN $4::timestamptz END, fault = $5, attempts = attempts - 1
      FROM (
        SELECT w.enabled AND w.deleted_at IS NULL AS wanted
        FROM deliveries same JOIN webhook_endpoints w ON w.id = same.endpoint_id WHERE same.id = $1
      ) endpoint
      WHERE d.id = $1 AND d.attempts = $2 AND d.status = 'sending'
      RETURNING d.id, d.endpoint_id, d.due_at
    )
    INSERT INTO delivery_queue (endpoint_id, due_at, delivery_id)
    SELECT endpoint_id, due_at, id FROM reverted WHERE due_at IS NOT NULL`,
};
const DOUBLE = {
  name: 'deliveries:double',
  text: `
    WITH met AS (
      UPDATE deliveries SET fault = 'double' WHERE id = $1 RETURNING event_id, endpoint_id
    ), doubled AS (
      INSERT INTO deliveries (event_id, endpoint_id, due_at, fault)
      SELECT event_id, endpoint_id, $2, 'double' FROM met RETURNING id, endpoint_id, due_at
    )
    INSERT INTO delivery_queue (endpoint_id, due_at, delivery_id)
    SELECT endpoint_id, due_at, id FROM doubled`,
};
const RELEASE = {
  name: 'deliveries:release',
  text: `
    WITH moved AS (
      UPDATE delivery_queue q SET due_at = $2
      FROM deliveries d
      WHERE d.id = $1 AND q.endpoint_id = d.endpoint_id AND q.due_at = d.due_at
        AND q.delivery_id = d.id
      RETURNING q.delivery_id
    )
    UPDATE deliveries d SET due_at = $2 FROM moved
    WHERE d.id = moved.delivery_id AND d.status = 'waiting'`,
};

/** Stores the effects of faults on deliveries. */
@Injectable()
export class FaultStore {
  constructor(private readonly database: Database) {}

  async lose({ delivery_id: id, attempt }: ClaimedAttempt): Promise<void> {
    await this.database.query(REVERT_CLAIM, [id, attempt, 'lost', null, 'lose']);
  }

  /** Postpones the delivery to `until`; no further fault applies to it. */
  async hold(
    { delivery_id: id, attempt }: ClaimedAttempt,
    fault: WebhookFaultKind,
    until: Instant,
  ): Promise<void> {
    await this.database.query(REVERT_CLAIM, [id, attempt, 'waiting', until, fault]);
  }

  /** Creates a second delivery of the same event, due at `at`. */
  async double({ delivery_id: id }: ClaimedAttempt, at: Instant): Promise<void> {
    await this.database.query(DOUBLE, [id, at]);
  }

  async release(id: number, at: Instant): Promise<void> {
    await this.database.query(RELEASE, [id, at]);
  }
}
