import type { Pool } from 'pg';
import { type Instant, Rejection } from '#kernel';
import { type MerchantEffect, type MerchantMode, partnerAccount, subjectOfCall } from '#onboarding';

/**
 * Makes jobs due that wait for a retry or whose retries are exhausted; `due_at` is business time.
 */
const MAKE_DUE = `
  UPDATE jobs SET state = 'waiting', due_at = $1, held_until = NULL, updated_at = clock_timestamp()
   WHERE kind = $2 AND (state = 'stuck'
      OR state = 'waiting' AND (due_at > $1 OR held_until IS NOT NULL))`;

const OPEN_CREATIONS = `
  SELECT DISTINCT subject_id FROM jobs
   WHERE kind = 'create_company' AND state <> 'done' AND account_id = $1`;

/**
 * Ends jobs. The jobs are locked before their states are read, so that a job is either ended or
 * found to be running. `under_way`: a worker is running the job at this moment, so the search
 * cannot be ended.
 */
const END = `
  WITH open AS MATERIALIZED (
    SELECT kind, key, state, claim IS NOT NULL AS begun FROM jobs
     WHERE subject_id = $1 AND kind = $2 AND state <> 'done'
     ORDER BY key
       FOR UPDATE),
  ended AS (
    UPDATE jobs j
       SET state = 'done', held_until = NULL, note = left($3, 500), updated_at = clock_timestamp()
      FROM open
     WHERE j.kind = open.kind AND j.key = open.key
       AND (open.state IN ('waiting', 'stuck') OR open.state = 'ready' AND open.begun)
       AND NOT EXISTS (SELECT FROM open WHERE state = 'running'))
  SELECT EXISTS (SELECT FROM open WHERE state = 'running') AS under_way`;

/**
 * Starts or ends the jobs that search for the unknown result of a call; also starts jobs that only
 * read.
 */
export class UnknownCalls {
  constructor(private readonly pool: Pool) {}

  /** Starts the search for a merchant's company now, even if its retries are exhausted. */
  async searchNow(merchantId: string, now: Instant): Promise<void> {
    await this.tryNow('create_company', merchantId, now);
  }

  /** Starts the read of a company's keys now, even if its retries are exhausted. */
  async fetchKeysNow(merchantId: string, now: Instant): Promise<void> {
    await this.tryNow('fetch_keys', merchantId, now);
  }

  private async tryNow(kind: MerchantEffect, merchantId: string, now: Instant): Promise<void> {
    const text = `${MAKE_DUE} AND subject_id = $3`;
    const values = [now, kind, subjectOfCall(merchantId, kind)];
    await this.pool.query({ name: 'try-now', text, values });
  }

  /**
   * Starts the searches of all merchants of a mode now, because an unclaimed company was observed.
   */
  async searchNowForAll(mode: MerchantMode, now: Instant): Promise<void> {
    const text = `${MAKE_DUE} AND account_id = $3`;
    const values = [now, 'create_company', partnerAccount(mode)];
    await this.pool.query({ name: 'search-now-for-all', text, values });
  }

  /** The merchants of a mode whose companies are being created or may have been created. */
  async openCreations(mode: MerchantMode): Promise<readonly string[]> {
    const values = [partnerAccount(mode)];
    const { rows } = await this.pool.query<{ subject_id: string }>(OPEN_CREATIONS, values);
    return rows.map(({ subject_id: merchantId }) => merchantId);
  }

  /** Ends the search. Safe to repeat. @throws Rejection `search_in_progress` */
  async end(subjectId: string, kind: string, reason: string): Promise<void> {
    const { rows } = await this.pool.query<{ under_way: boolean }>(END, [subjectId, kind, reason]);
    if (!rows[0]?.under_way) return;
    throw new Rejection(
      'search_in_progress',
      'a worker is searching for the result at this moment: try again in a minute',
    );
  }
}
