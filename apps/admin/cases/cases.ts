import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { DAY_MS, Rejection } from '#kernel';
import { EVERYTHING, type ListQuery, Lists, type Page } from '#lists';
import { inTransaction } from '#log';
import {
  CASE_SOURCES,
  CASE_TOTALS,
  caseKindOf,
  type CaseKind,
  caseListOf,
  isOfIncident,
  recordAudit,
} from '#operations';
import type { Acting } from '../access/allow.js';
import { asSeenBy } from '../access/narrowed-reads.js';
import { lockActing, mustStillSee } from '../access/still-acting.js';
import { PAGING } from '../lists/list-controllers.js';
import { usualModeOf } from '../lists/mode.js';
import type {
  CaseAnswer,
  CaseDeed,
  CaseNoteList,
  CaseTotalList,
  OpenCase,
} from './case-answers.js';

/** A note that a user adds to a case: an owner, a comment or a snooze. */
type Addition =
  | { readonly kind: 'owner'; readonly ownerId: string | null }
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'snooze'; readonly until: string | null; readonly text: string };

const MAX_SNOOZE_MS = 90 * DAY_MS;

const INSERT = `
  INSERT INTO case_notes (case_id, subject_type, subject_id, author_id, kind, owner_id, until, state,
                          text)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const NOTE = `
  n.at, 'user:' || n.author_id AS actor,
  CASE n.kind WHEN 'owner' THEN CASE WHEN n.owner_id IS NULL THEN 'released' ELSE 'taken' END
              WHEN 'snooze' THEN CASE WHEN n.until IS NULL THEN 'woken' ELSE 'snoozed' END
              ELSE n.kind END AS deed,
  NULL::text AS "actionKind", n.text, n.until`;

/**
 * SQL: the notes of a case, and the actions on the case's entity. An action on a provider request
 * is found by the id of the event that requested the call. An action on an incident is found by the
 * cause and the beginning of the case, or, for a closed case, by the retried requests in the
 * action's outcome.
 */
const HISTORY = `
  SELECT * FROM (
    SELECT ${NOTE} FROM case_notes n WHERE n.case_id = $1
     UNION ALL
    SELECT a.at, a.actor, a.action, a.detail ->> 'kind', coalesce(a.reason, ''), NULL
      FROM audit a
     WHERE a.action LIKE 'action.%'
       AND a.subject_id IN (SELECT unnest($2::text[])
                             UNION ALL
                            SELECT e.event_id::text FROM events e
                             WHERE e.stream_type = $3 AND e.stream_id = $4
                             UNION ALL
                            SELECT a.subject_id FROM admin_actions a
                             WHERE a.subject_type = 'incident'
                               AND (${isOfIncident('$5', '$6::timestamptz')}
                                 OR a.outcome -> 'retried' @>
                                      jsonb_build_array(jsonb_build_object('subjectId', $4::text))))
     ORDER BY at DESC LIMIT 200) latest
   ORDER BY at`;

const NOTES_OF_SUBJECT = `
  SELECT n.case_id AS "caseId", ${NOTE} FROM case_notes n WHERE n.subject_id = $1
   ORDER BY n.id DESC LIMIT 200`;

/** The name of the audit entry for a note that a user adds to a case. */
const auditOf = (added: Addition): string => {
  switch (added.kind) {
    case 'owner':
      return added.ownerId === null ? 'case.released' : 'case.taken';
    case 'comment':
      return 'case.commented';
    case 'snooze':
      return added.until === null ? 'case.woken' : 'case.snoozed';
  }
};

const mustBeAhead = (until: string): void => {
  const aheadMs = Date.parse(until) - Date.now();
  if (aheadMs > 0 && aheadMs <= MAX_SNOOZE_MS) return;
  throw new Rejection('invalid_snooze', 'a case can be snoozed for at most 90 days from now');
};

const mustEndBefore = (deadline: Date | null, until: string): void => {
  if (deadline === null || Date.parse(until) <= new Date(deadline).getTime()) return;
  throw new Rejection(
    'snooze_past_deadline',
    'a case cannot be snoozed for longer than its deadline',
  );
};

type CaseTotal = CaseTotalList['items'][number];
type CaseTotalRow = Omit<CaseTotal, 'kind'> & { readonly kind: CaseTotal['kind'] | null };

const isOfKind = (row: CaseTotalRow): row is CaseTotal => row.kind !== null;

/**
 * The open cases. A case is not stored: it is read from the table that contains its cause, and ends
 * with its cause. Only notes, owners and snoozes are stored; they never open or close a case.
 */
@Injectable()
export class Cases {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly lists: Lists,
  ) {}

  page(query: ListQuery): Promise<Page> {
    const kinds = (query['kind'] ?? []) as readonly CaseKind[];
    return this.lists.page(caseListOf(kinds), EVERYTHING, query, PAGING.usual);
  }

  async totals(): Promise<CaseTotalList> {
    const [{ rows }, usualMode] = await Promise.all([
      this.pool.query<CaseTotalRow>(CASE_TOTALS),
      usualModeOf(this.pool),
    ]);
    const atRisk = rows
      .filter(({ kind }) => kind === null)
      .map(({ mode, currency, amountMinor }) => ({ mode, currency, amountMinor }));
    return { items: rows.filter(isOfKind), atRisk, usualMode };
  }

  /**
   * Returns a case with its history. Throws `Rejection('case_not_found')` if there is neither an
   * open case nor a history.
   */
  async get(id: string): Promise<CaseAnswer> {
    const open = await this.open(id);
    const [known] =
      open === null ? (await this.pool.query<NoteSubject>(SUBJECT, [id])).rows : [open];
    if (known === undefined) throw caseNotFound(id);
    // Actions on a closed reconciliation break or a closed request are found by the key in the
    // case's id.
    const key = id.slice(id.indexOf(':') + 1);
    const targets = [known.subjectId, key, ...(open === null ? [] : [open.targetId])];
    const { rows } = await this.pool.query<CaseDeed>(HISTORY, [
      id,
      targets,
      known.subjectType,
      known.subjectId,
      open?.cause ?? null,
      open?.since ?? null,
    ]);
    return { case: open, history: rows };
  }

  async notesOf(subjectId: string): Promise<CaseNoteList> {
    return {
      items: (await this.pool.query<CaseNoteList['items'][number]>(NOTES_OF_SUBJECT, [subjectId]))
        .rows,
    };
  }

  /**
   * Adds a note to an open case. Throws `Rejection('case_not_found' | 'invalid_snooze' |
   * 'snooze_past_deadline')`, and the problems of a user who may not act any more.
   */
  async add(id: string, added: Addition, by: Acting): Promise<CaseAnswer> {
    const until = added.kind === 'snooze' ? added.until : null;
    if (until !== null) mustBeAhead(until);
    const open = await asSeenBy(by, () => this.open(id));
    if (open === null) throw caseNotFound(id);
    if (until !== null) mustEndBefore(open.deadline, until);
    await inTransaction(this.pool, async (client) => {
      mustStillSee(await lockActing(client, by, 'operator'), by);
      await this.insert(client, open, added, by);
    });
    return asSeenBy(by, () => this.get(id));
  }

  private async insert(
    client: PoolClient,
    { id, subjectType, subjectId, part, targetId }: OpenCase,
    added: Addition,
    by: Acting,
  ): Promise<void> {
    const ownerId = added.kind === 'owner' ? added.ownerId : null;
    const until = added.kind === 'snooze' ? added.until : null;
    const text = added.kind === 'owner' ? '' : added.text;
    await client.query(INSERT, [
      id,
      subjectType,
      subjectId,
      by.userId,
      added.kind,
      ownerId,
      until,
      until === null ? null : `${part} ${targetId}`,
      text,
    ]);
    await recordAudit(client, by, {
      action: auditOf(added),
      subject: { type: 'case', id },
      reason: text === '' ? null : text,
      detail: { subjectId, ...(until !== null && { until }) },
    });
  }

  private async open(id: string): Promise<OpenCase | null> {
    const kind = caseKindOf(id);
    return kind && this.lists.one<OpenCase>(caseListOf([kind]), [['c.id = ?', id]]);
  }
}

interface NoteSubject {
  readonly subjectType: string;
  readonly subjectId: string;
}

const { columns: BREAK } = CASE_SOURCES.reconciliation_break;

/**
 * Finds the entity that a closed case concerned. It is read from the case's notes, from its
 * reconciliation break, from the action that ended the case, or from the action that retried the
 * case's request within an incident.
 */
const SUBJECT = `
  SELECT subject_type AS "subjectType", subject_id AS "subjectId" FROM case_notes
   WHERE case_id = $1
   UNION ALL
  SELECT ${BREAK.subjectType}, ${BREAK.subjectId} FROM reconciliation_exceptions x
   WHERE $1 LIKE 'reconciliation\\_break:%' AND x.exception_id = split_part($1, ':', 2)
   UNION ALL
  SELECT a.subject_type, a.subject_id FROM admin_actions a
   WHERE $1 LIKE 'mismatch:%' AND a.kind = 'review_mismatches' AND a.status = 'done'
     AND a.subject_id = split_part($1, ':', 2)
   UNION ALL
  SELECT a.subject_type, a.subject_id FROM admin_actions a
   WHERE $1 LIKE 'unpaid\\_refund:%' AND a.kind = 'abandon_refund' AND a.status = 'done'
     AND a.target ->> 'requestId' = split_part($1, ':', 2)
   UNION ALL
  SELECT CASE WHEN one ->> 'subjectId' LIKE 'pay\\_%' THEN 'payment' ELSE 'merchant' END,
         one ->> 'subjectId'
    FROM admin_actions a
   CROSS JOIN LATERAL jsonb_array_elements(a.outcome -> 'retried') one
   WHERE a.subject_type = 'incident'
     AND $1 IN ('failed_request:' || (one ->> 'jobId'), 'unpaid_refund:' || (one ->> 'requestId'))
   LIMIT 1`;

const caseNotFound = (id: string): Rejection =>
  new Rejection('case_not_found', `no case has the id ${id}`);
