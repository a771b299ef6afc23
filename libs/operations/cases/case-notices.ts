import { CASE_KINDS, type CaseKind } from './case-kinds.js';
import type { CaseActor } from './case-source.js';
import {
  actionsOfCases,
  causeOf,
  INCIDENT_GAP,
  openOf,
  PENDING,
  RISK_OF_SUBJECT,
} from './open-cases.js';

/** The receivers of notices. */
export const NOTICE_CHANNELS = ['webhook', 'email'] as const;
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

/**
 * A notice about the open cases of one cause. `occasion` is the reason for the notice: `grown`
 * means that the number of cases of an incident has one digit more than at the last notice, e.g.
 * grew from 9 to 10; `more` means that there are further causes without a separate notice. `caseId`
 * is the case with the nearest deadline. `amounts` is the money at risk in minor units, by
 * currency. `deadline` is the nearest deadline, ISO 8601 with an offset; null if no case has a
 * deadline.
 */
export interface CaseNotice {
  readonly occasion: 'opened' | 'grown' | 'deadline' | 'approval' | 'more';
  readonly kind: CaseKind;
  readonly caseId: string;
  readonly cases: number;
  readonly amounts: Readonly<Record<string, number>>;
  readonly deadline: string | null;
  readonly acts: CaseActor;
  /** Absent: queued by an earlier release. */
  readonly mode?: 'test' | 'live' | null;
}

/** A reminder is sent this long before the deadline. */
const BEFORE_DEADLINE = '24 hours';

/**
 * The maximum number of causes with a separate notice in one round. One further notice stands for
 * all other causes.
 */
const MAX_MESSAGES = 20;

/**
 * How long the record of a sent notice is kept after its case has ended. The record prevents a
 * second notice if the case ends and soon begins again.
 */
const KEEP_CLOSED = '1 hour';

/**
 * How long the record of a notice about an action request is kept. An action request expires
 * earlier.
 */
const KEEP_APPROVALS = '7 days';

const FACTS = `
  'kind', kind, 'caseId', id, 'deadline', nearest, 'acts', acts, 'mode', mode`;

/**
 * SQL: the facts about which no notice was sent yet. `mark` is the id under which a sent notice is
 * recorded. Facts with the same value of `noticed` share one notice.
 */
const UNNOTICED = `
  SELECT 'opened' AS occasion, o.id AS mark, o.cause AS noticed, o.* FROM open o
   WHERE NOT EXISTS (SELECT FROM valid n WHERE n.id = o.id AND n.occasion = 'opened')
     AND NOT EXISTS (SELECT FROM retried r WHERE r.id = o.id AND r.state <> 'stuck')
   UNION ALL
  SELECT 'deadline', o.id, o.cause, o.*
    FROM open o JOIN case_notices first ON first.id = o.id AND first.occasion = 'opened'
   WHERE o.deadline > $2 AND o.deadline <= $2 + interval '${BEFORE_DEADLINE}'
     -- The first notice names the deadline, too: sent within this time, it replaces the reminder.
     AND first.at < o.deadline - interval '${BEFORE_DEADLINE}'
     AND NOT EXISTS (SELECT FROM case_notices n WHERE n.id = o.id AND n.occasion = 'deadline')
   UNION ALL
  SELECT 'approval', of.action_id, of.action_id, o.*
    FROM (${actionsOfCases('open')}) of JOIN open o ON o.id = of.case_id`;

/**
 * The statement that finds the facts that need a notice, records a mark for each, and queues one
 * message for each cause and channel. It does all of this or nothing, and only once, even if
 * several processes execute it. `$1`: the channels; `$2`: the current business time. Its only row
 * contains `isWaiting`, which shows whether messages wait to be sent. A new case causes no notice
 * if another case of the same cause was marked within the last hour, because both then belong to an
 * incident about which a notice was sent. A further notice, about all open cases of the incident,
 * is sent each time the number of cases gets another digit.
 */
export const QUEUE_NOTICES = `
  WITH open AS MATERIALIZED (
    SELECT c.kind || ':' || c.key AS id, ${causeOf('c')} AS cause, c.kind, c.subject_id,
           c.target_id, c.amount_minor, c.currency, c.since, c.deadline, c.acts, c.mode
      FROM (${openOf(CASE_KINDS)}) c),
  -- The case of a request that is retried stays open. Its notice is valid until the retry, so that
  -- another is sent if the request fails again.
  retried AS MATERIALIZED (
    SELECT o.id, j.state, j.updated_at FROM open o
      JOIN jobs j ON j.key = o.target_id AND j.progress ? 'failedAt'),
  valid AS MATERIALIZED (
    SELECT n.id, n.occasion, n.cause, n.at FROM case_notices n
     WHERE NOT EXISTS (SELECT FROM retried r WHERE r.id = n.id AND r.updated_at > n.at
                                               AND n.occasion = 'opened')),
  pending AS MATERIALIZED (
    SELECT a.* FROM (${PENDING}) a
     WHERE NOT EXISTS (SELECT FROM case_notices n WHERE n.id = a.id AND n.occasion = 'approval')),
  unnoticed AS (${UNNOTICED}),
  marked AS (
    INSERT INTO case_notices (id, occasion, cause)
    SELECT DISTINCT ON (mark, occasion) mark, occasion, noticed FROM unnoticed
    ON CONFLICT (id, occasion) DO UPDATE SET at = clock_timestamp(), cause = EXCLUDED.cause
      -- Another process may have sent the notice meanwhile.
      WHERE EXISTS (SELECT FROM retried r
                     WHERE r.id = case_notices.id AND r.updated_at > case_notices.at)
    RETURNING id, occasion),
  -- Read once: a search for each new case would also find the marks that this statement adds.
  known AS MATERIALIZED (
    SELECT cause, occasion, count(*) AS marks FROM valid GROUP BY cause, occasion
    HAVING max(at) > clock_timestamp() - interval '${INCIDENT_GAP}'),
  added AS (
    SELECT u.*, k.marks FROM unnoticed u
      JOIN marked m ON m.id = u.mark AND m.occasion = u.occasion
      LEFT JOIN known k ON k.cause = u.noticed AND k.occasion = u.occasion),
  grown AS (
    SELECT noticed FROM added WHERE occasion = 'opened' AND marks IS NOT NULL
     GROUP BY noticed HAVING length((max(marks) + count(*))::text) > length(max(marks)::text)),
  fresh AS (
    SELECT * FROM added WHERE marks IS NULL
     UNION ALL
    SELECT 'grown', o.id, o.cause, o.*, NULL FROM open o WHERE o.cause IN (SELECT noticed FROM grown)),
  causes AS (
    SELECT DISTINCT ON (occasion, noticed) occasion, noticed, kind, id, mode,
           CASE occasion WHEN 'approval' THEN 'approver' ELSE acts END AS acts,
           min(deadline) OVER c AS nearest, count(*) OVER c AS cases
      FROM fresh WINDOW c AS (PARTITION BY occasion, noticed)
     ORDER BY occasion, noticed, deadline, since, id),
  money AS (
    SELECT occasion, noticed, jsonb_object_agg(currency, minor) AS amounts
      FROM (SELECT occasion, noticed, currency, sum(minor) AS minor
              FROM (SELECT occasion, noticed, currency, ${RISK_OF_SUBJECT} AS minor FROM fresh
                     WHERE amount_minor IS NOT NULL AND currency IS NOT NULL
                     GROUP BY occasion, noticed, currency, kind, subject_id) subjects
             GROUP BY occasion, noticed, currency) sums GROUP BY occasion, noticed),
  ranked AS (
    SELECT c.*, coalesce(m.amounts, '{}') AS amounts,
           row_number() OVER (ORDER BY mode IS NOT DISTINCT FROM 'test', nearest, cases DESC, id)
             AS place
      FROM causes c LEFT JOIN money m USING (occasion, noticed)),
  notices AS (
    SELECT place, jsonb_build_object('occasion', occasion, 'cases', cases, 'amounts', amounts,
                                     ${FACTS}) AS notice
      FROM ranked WHERE place <= ${MAX_MESSAGES}
     UNION ALL
    SELECT ${MAX_MESSAGES + 1}, jsonb_build_object('occasion', 'more', 'amounts', '{}'::jsonb,
             'cases', (SELECT sum(cases) FROM ranked WHERE place > ${MAX_MESSAGES}), ${FACTS})
      FROM ranked WHERE place = ${MAX_MESSAGES + 1}),
  queued AS (
    INSERT INTO notice_messages (channel, notice)
    SELECT channel, notice FROM notices CROSS JOIN unnest($1::text[]) channel ORDER BY place
    RETURNING id),
  closed AS (
    UPDATE case_notices n
       SET closed_at = CASE WHEN before.closed_at IS NULL THEN clock_timestamp() END
      FROM case_notices before LEFT JOIN open o ON o.id = before.id
     WHERE n.id = before.id AND n.occasion = before.occasion AND before.occasion <> 'approval'
       AND (before.closed_at IS NULL) = (o.id IS NULL)
       -- A row may be updated only once by a statement.
       AND NOT EXISTS (SELECT FROM unnoticed u WHERE u.mark = n.id AND u.occasion = n.occasion)),
  deleted AS (
    DELETE FROM case_notices n
     WHERE n.closed_at < clock_timestamp() - interval '${KEEP_CLOSED}'
             AND NOT EXISTS (SELECT FROM open o WHERE o.id = n.id)
        OR n.occasion = 'approval' AND n.at < clock_timestamp() - interval '${KEEP_APPROVALS}')
  SELECT EXISTS (SELECT FROM queued)
      OR EXISTS (SELECT FROM notice_messages WHERE due_at <= clock_timestamp()) AS "isWaiting"`;
