import type { Pool, PoolClient } from 'pg';
import { Rejection } from '#kernel';
import { CASE_SOURCES, type CaseKind } from './case-kinds.js';
import { causeOf } from './open-cases.js';
import { statementOfSource } from './case-source.js';

/** The failed provider requests of an incident: those of one cause that failed within a period. */
export interface IncidentRef {
  readonly cause: string;
  /** In milliseconds, both included; instants are rounded to milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** A failed provider request of an incident; the amount in minor units. */
export interface IncidentRequest {
  readonly jobId: string;
  readonly amountMinor: number | null;
  readonly currency: string | null;
}

/** The maximum number of requests that one action retries. */
const MAX_REQUESTS = 1_000;

const REF = /^((failed_request|unpaid_refund)\.[\da-f]{16})\.(\d{1,15})\.(\d{1,15})$/;

/** Parses `<cause>.<from>.<to>`. Throws `Rejection('incident_unknown')`. */
export const incidentRefOf = (text: string): IncidentRef & { readonly kind: CaseKind } => {
  const [, cause, kind, from, to] = REF.exec(text) ?? [];
  if (cause === undefined) {
    throw new Rejection('incident_unknown', 'this names no incident of failed provider requests');
  }
  return { cause, kind: kind as CaseKind, fromMs: Number(from), toMs: Number(to) };
};

const requestsOf = (kind: CaseKind): string => `
  SELECT c.target_id AS "jobId", c.amount_minor::float8 AS "amountMinor", c.currency
    FROM (${statementOfSource(kind, CASE_SOURCES[kind])}) c
    JOIN jobs failed ON failed.key = c.target_id AND failed.state = 'stuck'
   WHERE ${causeOf('c')} = $1
     AND c.since BETWEEN to_timestamp($2::float8 / 1000) - interval '1 millisecond'
                     AND to_timestamp($3::float8 / 1000) + interval '1 millisecond'
   ORDER BY c.since, c.key LIMIT ${MAX_REQUESTS}`;

/**
 * The failed requests of an incident, oldest first, at most 1000. Requests that failed after the
 * period do not join them. Throws `Rejection('incident_unknown' | 'not_stuck')`.
 */
export const incidentRequests = async (
  db: Pool | PoolClient,
  text: string,
): Promise<readonly IncidentRequest[]> => {
  const { kind, cause, fromMs, toMs } = incidentRefOf(text);
  const { rows } = await db.query<IncidentRequest>(requestsOf(kind), [cause, fromMs, toMs]);
  if (rows.length > 0) return rows;
  throw new Rejection('not_stuck', 'no failed provider request of this incident is left');
};
