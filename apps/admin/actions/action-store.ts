import { firstRow } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { Rejection } from '#kernel';
import { EVERYTHING, type List, type ListQuery, Lists, type Page } from '#lists';
import { type AuditSubject as Subject } from '#operations';
import { PAGING } from '../lists/list-controllers.js';
import {
  ACTION_KINDS,
  ACTION_STATUSES,
  type ActionKind,
  type Asked,
  type Private,
  type Target,
} from './action.js';
import type { ActionAnswer } from './action-answers.js';

/**
 * The process that executes an action keeps renewing a claim on the action. After this long without
 * a renewal, the process is considered ended.
 */
const CLAIM_MINUTES = 1;
export const RENEW_EVERY_MS = 20_000;

/** Pending or executing. */
export interface OpenAction {
  readonly id: string;
  readonly kind: ActionKind;
  readonly target: Target;
  readonly subject: Subject;
}

const STATUS = `CASE WHEN a.status = 'pending' AND a.expires_at <= now() THEN 'expired'
  ELSE a.status END`;

/** Requests of earlier releases have an amount only if they affect one payment or order. */
const AMOUNTS = `coalesce(a.amounts, CASE WHEN a.about->>'currency' IS NULL THEN '[]'
  ELSE jsonb_build_array(jsonb_build_object('amountMinor', a.about->'amountMinor',
                                            'currency', a.about->'currency')) END)`;

export const ACTION_LIST: List = {
  name: 'actions',
  items: 'Actions',
  item: 'Action',
  from: `admin_actions a LEFT JOIN admin_users r ON r.id = a.requested_by
    LEFT JOIN admin_users d ON d.id = a.decided_by`,
  id: 'a.id',
  columns: {
    id: { sql: 'a.id' },
    kind: { sql: 'a.kind' },
    target: { sql: 'a.target' },
    subjectType: { sql: 'a.subject_type' },
    subjectId: { sql: 'a.subject_id' },
    about: { sql: 'a.about' },
    amounts: { sql: AMOUNTS },
    reason: { sql: 'a.reason' },
    status: { sql: STATUS },
    requestedBy: { sql: 'a.requested_by' },
    requestedByName: { sql: 'coalesce(r.name, a.requested_by)' },
    requestedAt: { sql: 'a.requested_at' },
    expiresAt: { sql: 'a.expires_at' },
    decidedBy: { sql: 'a.decided_by' },
    decidedByName: { sql: 'd.name' },
    decidedAt: { sql: 'a.decided_at' },
    endedAt: { sql: 'a.ended_at' },
    outcome: { sql: 'a.outcome' },
  },
  filters: {
    status: { is: 'one', of: ACTION_STATUSES, where: `${STATUS} = ?` },
    kind: { is: 'one', of: ACTION_KINDS, where: 'a.kind = ?' },
  },
  sorts: { requested: { by: 'a.requested_at', of: 'instant' } },
};

/** Whether the action was requested with a platform's API key, not by a user. */
export const isKey = (requestedBy: string): boolean => requestedBy.startsWith('platform:');

export const askedOf = (
  { id, target, reason, requestedBy, decidedBy }: ActionAnswer,
  kept: Private | null,
): Asked => ({
  id,
  target,
  reason,
  private: kept,
  approvedBy: decidedBy,
  actor: isKey(requestedBy) ? requestedBy : `user:${requestedBy}`,
});

/** The database table of action requests. */
@Injectable()
export class ActionStore {
  private readonly lists: Lists;

  constructor(@Inject(Pool) private readonly pool: Pool) {
    this.lists = new Lists(pool);
  }

  list(query: ListQuery): Promise<Page<ActionAnswer>> {
    return this.lists.page<ActionAnswer>(ACTION_LIST, EVERYTHING, query, PAGING.usual);
  }

  /** Reads an action. Throws `Rejection('action_not_found')`. */
  async get(id: string): Promise<ActionAnswer> {
    const row = await this.lists.one<ActionAnswer>(ACTION_LIST, [['a.id = ?', id]]);
    if (row === null) throw new Rejection('action_not_found', 'action request not found');
    return row;
  }

  /** Returns the private values of an action; no list shows these values. */
  async privateOf(id: string): Promise<Private | null> {
    const row = await firstRow<{ private: Private | null }>(
      this.pool,
      'SELECT private FROM admin_actions WHERE id = $1',
      [id],
    );
    return row?.private ?? null;
  }

  /** Expires actions that were not approved in time, and erases their private values. */
  async expire(): Promise<void> {
    await this.pool.query(
      `UPDATE admin_actions SET status = 'expired', ended_at = expires_at, private = NULL
        WHERE status = 'pending' AND expires_at <= now()`,
    );
  }

  /**
   * Marks a pending action as executing, started by its approver; returns false if the action is no
   * longer pending.
   */
  async approve(client: PoolClient, id: string, userId: string): Promise<boolean> {
    const { rowCount } = await client.query(
      `UPDATE admin_actions
          SET status = 'executing', decided_by = $2, decided_at = now(), claimed_at = now()
        WHERE id = $1 AND status = 'pending' AND expires_at > now() AND requested_by <> $2`,
      [id, userId],
    );
    return rowCount === 1;
  }

  async reject(client: PoolClient, id: string, userId: string): Promise<boolean> {
    const { rowCount } = await client.query(
      `UPDATE admin_actions
          SET status = 'rejected', decided_by = $2, decided_at = now(), ended_at = now(),
              private = NULL
        WHERE id = $1 AND status = 'pending' AND expires_at > now()`,
      [id, userId],
    );
    return rowCount === 1;
  }

  /**
   * Locks an executing action until the transaction ends; returns false if the action has ended.
   */
  async lock(client: PoolClient, id: string): Promise<boolean> {
    const { rowCount } = await client.query(
      `SELECT FROM admin_actions WHERE id = $1 AND status = 'executing' FOR UPDATE`,
      [id],
    );
    return rowCount === 1;
  }

  /** Locks all open actions until the transaction ends. */
  async lockOpen(client: PoolClient): Promise<readonly OpenAction[]> {
    const { rows } = await client.query<OpenAction>(
      `SELECT id, kind, target,
              jsonb_build_object('type', subject_type, 'id', subject_id) AS subject
         FROM admin_actions
        WHERE status = 'executing' OR (status = 'pending' AND expires_at > now())
        ORDER BY id FOR UPDATE`,
    );
    return rows;
  }

  /** Ends an action. Requires a lock on the action's row. */
  async end(
    client: PoolClient,
    id: string,
    status: 'done' | 'failed',
    outcome: object,
  ): Promise<void> {
    await client.query(
      `UPDATE admin_actions SET status = $2, outcome = $3, ended_at = now(), private = NULL
        WHERE id = $1`,
      [id, status, JSON.stringify(outcome)],
    );
  }

  /** Renews the executing process's claim on an action. */
  async renew(id: string): Promise<void> {
    await this.pool.query(
      `UPDATE admin_actions SET claimed_at = now() WHERE id = $1 AND status = 'executing'`,
      [id],
    );
  }

  /**
   * Claims an action that a process started but did not end before the process ended. Returns the
   * action's id, or null.
   */
  async claimLeft(): Promise<string | null> {
    const left = await firstRow<{ id: string }>(
      this.pool,
      `UPDATE admin_actions SET claimed_at = now()
        WHERE id = (SELECT id FROM admin_actions
                     WHERE status = 'executing'
                       AND claimed_at < now() - interval '${CLAIM_MINUTES} minutes'
                     ORDER BY requested_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
    );
    return left?.id ?? null;
  }
}
