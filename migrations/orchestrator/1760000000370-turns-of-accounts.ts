import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Workers take what is due by turns of the accounts, so that one whose calls are slow holds no other
 * up: each account's own is found by an index.
 */
export class TurnsOfAccounts1760000000370 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX effects_ready_by_account ON effects (account_id, ordinal) WHERE state = 'ready';
      CREATE INDEX effects_waiting_by_account ON effects (account_id, due_at, ordinal)
       WHERE state = 'waiting';
    `);
    await runner.query(CLAIM_EFFECTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION claim_effects;
      DROP INDEX effects_ready_by_account, effects_waiting_by_account;
    `);
  }
}

/**
 * Of a subject only its oldest open job: they run one after another, and one that is stuck holds the
 * later ones back.
 */
const IS_FIRST = `
  e.ordinal = (SELECT min(own.ordinal) FROM effects own
                WHERE own.subject_id = e.subject_id AND own.state <> 'done')`;

/** The accounts that have jobs in a state, each found by one look into the state's index. */
const accountsWith = (name: string, state: 'ready' | 'waiting', isWanted: string): string => `
  ${name} AS (
    (SELECT e.account_id FROM effects e
      WHERE e.state = '${state}' AND ${isWanted} ORDER BY e.account_id LIMIT 1)
    UNION ALL
    SELECT (SELECT e.account_id FROM effects e
             WHERE e.state = '${state}' AND e.account_id > one.account_id
             ORDER BY e.account_id LIMIT 1)
      FROM ${name} one WHERE one.account_id IS NOT NULL)`;

/** None of an account of which something is to be read since a restore. */
const mayCall = (row: string): string =>
  `NOT EXISTS (SELECT FROM restore_reads r WHERE r.account_id = ${row}.account_id)`;

/**
 * The first jobs of each of these accounts, as many as it may have begun. An account that may make no
 * call is left out before its jobs are looked at: they may be many.
 */
const firstOfEach = (accounts: string, which: string, order: string): string => `
    SELECT job.* FROM (SELECT * FROM ${accounts} a WHERE ${mayCall('a')} OFFSET 0) one
      LEFT JOIN load ON load.account_id = one.account_id
     CROSS JOIN LATERAL (
       SELECT e.job_id, e.state, e.account_id, e.ordinal FROM effects e
        WHERE e.account_id = one.account_id AND ${which} AND ${IS_FIRST}
        ORDER BY ${order} LIMIT greatest(0, least(up_to, most - coalesce(load.running, 0)))) job`;

/**
 * Takes up to `up_to` jobs for `claim_ms`: never begun, due for another look, or left in the middle
 * of a call. Each kind has an index of its own, so many of one kind that may not be taken up cost
 * nothing. `accounts` and `running`: what is under way for whom where this is called. The account
 * for which least is under way is first, and none has more than `most`.
 */
const CLAIM_EFFECTS = `
CREATE FUNCTION claim_effects(
  business_now timestamptz, up_to integer, claim_ms double precision, accounts text[],
  running integer[], most integer
) RETURNS TABLE (
  job_id uuid, kind text, subject_id text, account_id text, tries integer, claim uuid, found text,
  subject_version integer
)
LANGUAGE plpgsql VOLATILE
-- As in commit_steps: a plan kept from when the table was small must not read all of it later.
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH RECURSIVE load AS (
    SELECT * FROM unnest(accounts, running) AS load(account_id, running)),
  ${accountsWith('ready_of', 'ready', 'true')},
  ${accountsWith('waiting_of', 'waiting', `EXISTS (
      SELECT FROM effects due WHERE due.state = 'waiting' AND due.due_at <= business_now)`)},
  claimable AS (
    ${firstOfEach('ready_of', `e.state = 'ready'`, 'e.ordinal')}
    UNION ALL
    ${firstOfEach('waiting_of', `e.state = 'waiting' AND e.due_at <= business_now`, 'e.due_at, e.ordinal')}
    UNION ALL
    -- All: dead workers leave no more than they had begun, and of a part one account that has no
    -- room might take all.
    SELECT e.job_id, e.state, e.account_id, e.ordinal FROM effects e
     WHERE e.state = 'calling' AND e.claimed_until < clock_timestamp()
       AND ${mayCall('e')} AND ${IS_FIRST}),
  turns AS (
    SELECT c.*, coalesce(load.running, 0)
             + row_number() OVER (PARTITION BY c.account_id ORDER BY c.ordinal) AS turn
      FROM claimable c LEFT JOIN load ON load.account_id = c.account_id),
  -- Looked at again once it is locked: another worker may have taken it meanwhile.
  chosen AS (
    SELECT e.job_id, t.state FROM turns t JOIN effects e ON e.job_id = t.job_id
     WHERE t.turn <= most AND e.state = t.state
       AND (e.state <> 'calling' OR e.claimed_until < clock_timestamp())
     ORDER BY t.turn, t.ordinal LIMIT up_to
       FOR UPDATE OF e SKIP LOCKED)
  UPDATE effects e
     SET state = 'calling', claim = gen_random_uuid(), tries = e.tries + 1,
         claimed_until = clock_timestamp() + claim_ms * interval '1 millisecond',
         updated_at = clock_timestamp()
    FROM chosen
   WHERE e.job_id = chosen.job_id
  RETURNING e.job_id, e.kind, e.subject_id, e.account_id, e.tries::integer, e.claim, chosen.state,
            (SELECT coalesce(max(v.version), 0) FROM events v
              WHERE v.stream_type IN ('payment', 'merchant') AND v.stream_id = e.subject_id
            )::integer;
END
$$
`;
