import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { Rejection } from '#kernel';
import { CASE_SOURCES, type CaseKind } from './case-kinds.js';
import { causeOf, INCIDENT_SEPARATOR, isWithin } from './open-cases.js';
import { statementOfSource } from './case-source.js';

/** The failed provider requests of an incident: those of one cause that failed within a period. */
export interface IncidentRef {
  readonly cause: string;
  /**
   * The first and the last instant of the period, in milliseconds since 1970, both included.
   * Recorded instants are rounded to milliseconds.
   */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * A failed provider request of an incident. The amount is in minor units. It is null if the request
 * is for a merchant, or if the list of payments does not contain the payment yet.
 */
export interface IncidentRequest {
  readonly jobId: string;
  readonly kind: string;
  /** The payment or merchant. */
  readonly subjectId: string;
  readonly amountMinor: number | null;
  readonly currency: string | null;
}

/** The failed requests of an incident that one action retries, at most 1000. */
export interface IncidentRequests {
  readonly requests: readonly IncidentRequest[];
  /** The number of further requests of the incident: another action must retry them. */
  readonly left: number;
  /**
   * A fingerprint of the set of requests, equal for equal sets: 8 hexadecimal digits, which people
   * can compare.
   */
  readonly fingerprint: string;
}

/** The maximum number of requests that one action retries. */
const MAX_REQUESTS = 1_000;
/** The maximum number of incidents whose requests one action retries. */
const MAX_INCIDENTS = 20;

/** The id of an incident: a letter stands before each of the two times. */
const REF = /^((failed_request|unpaid_refund)\.[\da-f]{16})\.f(\d{1,15})\.t(\d{1,15})$/;

/** Parses `<cause>.f<from>.t<to>`. Throws `Rejection('incident_unknown')`. */
export const incidentRefOf = (text: string): IncidentRef & { readonly kind: CaseKind } => {
  const [, cause, kind, from, to] = REF.exec(text) ?? [];
  if (cause === undefined) {
    throw new Rejection('incident_unknown', 'this names no incident of failed provider requests');
  }
  return { cause, kind: kind as CaseKind, fromMs: Number(from), toMs: Number(to) };
};

const requestsOf = (kind: CaseKind): string => `
  SELECT c.target_id AS "jobId", failed.kind, c.subject_id AS "subjectId",
         c.amount_minor::float8 AS "amountMinor", c.currency, count(*) OVER ()::int AS total
    FROM (${statementOfSource(kind, CASE_SOURCES[kind])}) c
    JOIN jobs failed ON failed.key = c.target_id AND failed.state = 'stuck'
   WHERE ${causeOf('c')} = $1 AND ${isWithin('c.since', '$2', '$3')}
   ORDER BY c.since, c.key LIMIT ${MAX_REQUESTS}`;

const fingerprintOf = (jobIds: readonly string[]): string =>
  createHash('sha256').update(jobIds.toSorted().join(' ')).digest('hex').slice(0, 8);

/**
 * The failed requests of one incident, or of several incidents whose names are separated by colons;
 * of each incident, the oldest request comes first. Cases that began after the period do not belong
 * to the incident. The case of a refund begins with the first refund request, so it may belong to
 * the incident although its request failed after the period. Throws `Rejection('incident_unknown' |
 * 'not_stuck')`.
 */
export const incidentRequests = async (
  db: Pool | PoolClient,
  text: string,
): Promise<IncidentRequests> => {
  const incidents = text.split(INCIDENT_SEPARATOR).map(incidentRefOf);
  if (incidents.length > MAX_INCIDENTS) {
    throw new Rejection('incident_unknown', `name at most ${MAX_INCIDENTS} incidents`);
  }
  const found = new Map<string, IncidentRequest>();
  let total = 0;
  for (const { kind, cause, fromMs, toMs } of incidents) {
    const { rows } = await db.query<IncidentRequest & { readonly total: number }>(
      requestsOf(kind),
      [cause, fromMs, toMs],
    );
    total += rows[0]?.total ?? 0;
    for (const row of rows) {
      if (found.has(row.jobId)) total -= 1;
      else if (found.size < MAX_REQUESTS) found.set(row.jobId, row);
    }
  }
  if (found.size === 0) {
    throw new Rejection('not_stuck', 'no failed provider request of this incident is left');
  }
  const fingerprint = fingerprintOf([...found.keys()]);
  return { requests: [...found.values()], left: total - found.size, fingerprint };
};
