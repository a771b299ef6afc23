import { CASE_KINDS, CASE_SOURCES, type CaseKind } from './case-kinds.js';
import { statementOfSource } from './case-source.js';

/**
 * Two successive cases of one cause belong to one incident if the second began at most this long
 * after the first.
 */
export const INCIDENT_GAP = '1 hour';

/**
 * The cause of a case of the table `of`: equal for cases of one kind with the same reason and origin.
 * Test and live cases have different causes, so an incident is of one mode.
 */
export const causeOf = (of: string): string =>
  `${of}.kind || '.' || left(md5(coalesce(${of}.origin, '') || ' ' || coalesce(${of}.reason, '')
     || CASE ${of}.mode WHEN 'test' THEN ' test' ELSE '' END), 16)`;

/**
 * SQL: the state of a case while a user snoozes it. If the state changes, e.g. because an unknown
 * result becomes a failed request, the case is shown again.
 */
export const stateOf = (of: string): string => `${of}.part || ' ' || ${of}.target_id`;

/** Whether an instant lies in a period. The limits of the period are rounded to milliseconds. */
export const isWithin = (instant: string, fromMs: string, toMs: string): string => `
  ${instant} BETWEEN to_timestamp(${fromMs}::float8 / 1000) - interval '1 millisecond'
                 AND to_timestamp(${toMs}::float8 / 1000) + interval '1 millisecond'`;

/** Separates the incidents in the subject of an action on several incidents. */
export const INCIDENT_SEPARATOR = ':';

/** The period of an incident in the subject of an action, `<kind>.<hash>.f<from>.t<to>`. */
const PERIOD_OF_ACTION = {
  fromMs: `substr(split_part(incident, '.', 3), 2)`,
  toMs: `substr(split_part(incident, '.', 4), 2)`,
} as const;

/**
 * Whether the action of the table `a` is about the incident of a case with this cause and this
 * beginning. The action may be about further incidents, too.
 */
export const isOfIncident = (cause: string, since: string): string => `
  EXISTS (
    SELECT FROM unnest(string_to_array(a.subject_id, '${INCIDENT_SEPARATOR}')) incident
     WHERE CASE WHEN a.subject_type = 'incident' AND starts_with(incident, ${cause} || '.')
                THEN ${isWithin(since, PERIOD_OF_ACTION.fromMs, PERIOD_OF_ACTION.toMs)}
                ELSE false END)`;

/** The open cases of these kinds, without incidents and notes. */
export const openOf = (kinds: readonly CaseKind[]): string =>
  kinds.map((kind) => statementOfSource(kind, CASE_SOURCES[kind])).join('\n UNION ALL\n');

/**
 * SQL: `live` if any account or merchant is live, otherwise `test`. Merchants count too, because a
 * merchant gets its account only after its onboarding.
 */
export const USUAL_MODE = `
  SELECT CASE WHEN EXISTS (SELECT FROM provider_accounts WHERE mode = 'live')
                OR EXISTS (SELECT FROM merchant_list WHERE mode = 'live')
              THEN 'live' ELSE 'test' END AS mode`;

/**
 * The kinds of cases whose amounts are separate parts of their subject's money: several of them add
 * up. The amount of any other case is the whole amount of its subject.
 */
const IN_PARTS: readonly CaseKind[] = ['unpaid_refund', 'rejected_capture', 'reconciliation_break'];

/** SQL: the money at risk of the grouped cases, which have the same kind, subject and currency. */
export const RISK_OF_SUBJECT = `
  CASE WHEN kind IN (${IN_PARTS.map((kind) => `'${kind}'`).join(', ')})
       THEN sum(amount_minor) ELSE max(amount_minor) END`;

/**
 * The number of open cases of each kind, mode and currency, and the money at risk in minor units.
 * In the rows of all kinds, whose kind is null, the money of a subject with cases of several kinds
 * counts once.
 */
export const CASE_TOTALS = `
  WITH of_subject AS MATERIALIZED (
    SELECT kind, mode, currency, subject_id, count(*) AS cases, ${RISK_OF_SUBJECT} AS minor
      FROM (${openOf(CASE_KINDS)}) open GROUP BY kind, mode, currency, subject_id)
  SELECT kind, mode, currency, sum(cases)::int AS cases, sum(minor)::float8 AS "amountMinor"
    FROM of_subject GROUP BY kind, mode, currency
   UNION ALL
  SELECT NULL, mode, currency, sum(cases)::int, sum(minor)::float8
    FROM (SELECT mode, currency, subject_id, sum(cases) AS cases, max(minor) AS minor
            FROM of_subject GROUP BY mode, currency, subject_id) subjects
   GROUP BY mode, currency
   ORDER BY kind, mode, currency`;

/**
 * The open cases with their causes and incidents. Cases of one kind with the same reason and origin
 * have the same `cause`. Those of them that began within an hour of each other are one incident.
 * Its name is made of its first case, so that it never becomes the name of an incident of other
 * cases, in letters, because digits beside the cause may look like a card number.
 */
const withIncidents = (kinds: readonly CaseKind[]): string => `
  SELECT placed.*, cause || '.' || translate(left(md5(first_value(key) OVER (
                     PARTITION BY cause, island ORDER BY since, key)), 16),
                     '0123456789', 'ghijklmnop') AS incident FROM (
    SELECT begun.*, count(*) FILTER (WHERE begins) OVER (PARTITION BY cause ORDER BY since, key)
             AS island
      FROM (
        SELECT caused.*,
               coalesce(since - lag(since) OVER (PARTITION BY cause ORDER BY since, key)
                          > interval '${INCIDENT_GAP}', true) AS begins
          FROM (SELECT open.*, kind || ':' || key AS id,
                       ${causeOf('open')} AS cause
                  FROM (${openOf(kinds)}) open) caused) begun) placed`;

/** The actions that await approval. */
export const PENDING = `
  SELECT id, subject_type, subject_id, target, requested_at FROM admin_actions
   WHERE status = 'pending' AND expires_at > now()`;

/**
 * Pairs each case of the table `cases` with the actions of the table `pending` that concern the
 * case. Each pair occurs once. An action can concern a case in several ways. Each way is a separate
 * join, because PostgreSQL can hash separate joins; with one combined condition it would compare
 * every action with every case.
 */
export const actionsOfCases = (cases: string): string => `
  SELECT c.id AS case_id, a.id AS action_id, a.requested_at
    FROM pending a JOIN ${cases} c ON c.target_id = a.subject_id
   UNION
  SELECT c.id, a.id, a.requested_at
    FROM pending a JOIN ${cases} c ON c.subject_id = a.subject_id
     AND coalesce(a.target ->> 'requestId', c.target_id) = c.target_id
   UNION
  SELECT c.id, a.id, a.requested_at
    FROM pending a JOIN ${cases} c ON ${isOfIncident('c.cause', 'c.since')}
   WHERE a.subject_type = 'incident'`;

/** The oldest action that awaits approval, for each case of `placed` that has one. */
const ACTION_OF_CASE = `
  SELECT DISTINCT ON (found.case_id) found.case_id, found.action_id
    FROM (${actionsOfCases('placed')}) found
   ORDER BY found.case_id, found.requested_at`;

/**
 * The open cases of these kinds, with the notes of users and the totals of their incidents.
 * `place`: the position of the case in its incident. In lists, the first case represents the
 * incident: of the cases that are not snoozed, it has the nearest deadline.
 */
export const openCases = (kinds: readonly CaseKind[]): string => `
  WITH placed AS MATERIALIZED (${withIncidents(kinds)}),
  pending AS MATERIALIZED (${PENDING}),
  awaited AS (${ACTION_OF_CASE}),
  noted AS (
    SELECT c.*, o.owner_id, s.until AS snoozed_until,
           coalesce(s.until > clock_timestamp() AND s.state = ${stateOf('c')}, false) AS is_snoozed,
           awaited.action_id
      FROM placed c
      LEFT JOIN awaited ON awaited.case_id = c.id
      LEFT JOIN LATERAL (SELECT n.owner_id FROM case_notes n
                          WHERE n.case_id = c.id AND n.kind = 'owner'
                          ORDER BY n.id DESC LIMIT 1) o ON true
      LEFT JOIN LATERAL (SELECT n.until, n.state FROM case_notes n
                          WHERE n.case_id = c.id AND n.kind = 'snooze'
                          ORDER BY n.id DESC LIMIT 1) s ON true),
  money AS (
    SELECT incident, jsonb_object_agg(currency, minor) AS amounts
      FROM (SELECT incident, currency, sum(minor) AS minor
              FROM (SELECT incident, currency, ${RISK_OF_SUBJECT} AS minor FROM noted
                     WHERE currency IS NOT NULL
                     GROUP BY incident, currency, kind, subject_id) subjects
             GROUP BY incident, currency) sums
     GROUP BY incident)
  SELECT n.*, count(*) OVER i AS cases, min(since) OVER i AS begun, max(since) OVER i AS latest,
         array_agg(owner_id) OVER i AS owners,
         array_agg(CASE WHEN action_id IS NULL THEN acts ELSE 'approver' END) OVER i AS actors,
         count(*) FILTER (WHERE owner_id IS NULL) OVER i AS unowned,
         bool_and(is_snoozed) OVER i AS is_asleep,
         row_number() OVER (PARTITION BY incident ORDER BY is_snoozed, deadline, since, id) AS place,
         m.amounts
    FROM noted n LEFT JOIN money m USING (incident) WINDOW i AS (PARTITION BY incident)`;
