import { firstRow } from '#platform';
import type { PoolClient } from 'pg';
import { newId, Rejection } from '#kernel';

/**
 * Inserts a request for an action. Platforms use the database function `request_exception_closing`.
 */
export interface ActionRequest {
  readonly kind: string;
  /** The JSON object that describes what the action changes. */
  readonly target: object;
  readonly subject: { readonly type: string; readonly id: string };
  /** The amount of one payment or order that the action affects, as JSON for the approver. */
  readonly about: object | null;
  /** All amounts that the action affects, one for each currency. */
  readonly amounts: readonly { readonly amountMinor: number; readonly currency: string }[];
  readonly reason: string;
  /** The id of the requesting user. */
  readonly requestedBy: string;
  readonly needsApproval: boolean;
  /**
   * Secrets that the action needs when it is approved, as JSON. They are never shown, and are
   * erased when the action ends.
   */
  readonly private: object | null;
}

/**
 * An id that is derived from the id of an action, so that a repeated action does not request a
 * second refund or capture.
 */
const derivedId =
  (prefix: string) =>
  ({ id }: { readonly id: string }): string =>
    `${prefix}_${id.replace(/^[a-z]+_/, '')}`;

/** The id of the refund that an action requests. */
export const requestIdOf = derivedId('rfr');

/** The id of the capture that an action requests. */
export const captureIdOf = derivedId('cap');

const APPROVAL_HOURS = 24;

/**
 * Marks the actions that were not approved in time as expired, so that the same action can be
 * requested again.
 */
const LAPSE = `UPDATE admin_actions SET status = 'expired', ended_at = expires_at, private = NULL
  WHERE kind = $1 AND target = $2 AND status = 'pending' AND expires_at <= now()`;

const INSERT = `
  INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, reason, requested_by,
         expires_at, status, claimed_at, about, private, amounts)
  VALUES ($1, $2, $3, $4, $5, $6, $7, now() + interval '${APPROVAL_HOURS} hours', $8,
          CASE WHEN $8 = 'executing' THEN now() END, $9, $10, $11)
  ON CONFLICT (kind, target) WHERE status IN ('pending', 'executing') DO NOTHING`;

const OTHER = `
  SELECT id FROM admin_actions
   WHERE kind = $1 AND target = $2 AND status IN ('pending', 'executing')`;

/**
 * Returns the new action's id. Throws `Rejection('already_requested')` if the same action is
 * still pending or in progress.
 */
export const addActionRequest = async (
  client: PoolClient,
  request: ActionRequest,
): Promise<string> => {
  const id = newId('act');
  const { kind, subject, about, reason, requestedBy, needsApproval } = request;
  const target = JSON.stringify(request.target);
  await client.query(LAPSE, [kind, target]);
  const { rowCount } = await client.query(INSERT, [
    id,
    kind,
    target,
    subject.type,
    subject.id,
    reason,
    requestedBy,
    needsApproval ? 'pending' : 'executing',
    about && JSON.stringify(about),
    request.private && JSON.stringify(request.private),
    JSON.stringify(request.amounts),
  ]);
  if (rowCount === 1) return id;
  const other = await firstRow<{ id: string }>(client, OTHER, [kind, target]);
  const which = other === undefined ? '' : ` (${other.id})`;
  throw new Rejection(
    'already_requested',
    `the same action is already pending or in progress${which}: wait until it has ended`,
  );
};
