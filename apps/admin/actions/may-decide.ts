import type { Pool } from 'pg';
import { Rejection } from '#kernel';
import type { AuditSubject as Subject } from '#operations';
import {
  type AccessScope,
  checkAmounts,
  isNarrowed,
  type LimitHolder,
} from '../access/access-scope.js';
import type { Acting } from '../access/allow.js';
import { asSeenBy } from '../access/narrowed-reads.js';
import type { ActionKind } from './action.js';
import type { Preview } from './preview-items.js';

const ENTITY = 'SELECT FROM events WHERE stream_type = $2 AND stream_id = $1 LIMIT 1';

/**
 * By type of subject, the read that finds the subject of an action. Limited users see no action
 * with a subject of another type.
 */
const SUBJECTS: Readonly<Record<string, string>> = {
  order: ENTITY,
  payment: ENTITY,
  payout: ENTITY,
  merchant: ENTITY,
  account: ENTITY,
  webhook_endpoint: ENTITY,
  exception: `SELECT FROM reconciliation_exceptions
               WHERE exception_id = $1 AND $2::text IS NOT NULL LIMIT 1`,
  job: 'SELECT FROM jobs WHERE key = $1 AND $2::text IS NOT NULL LIMIT 1',
  webhook: `SELECT FROM webhooks_received
             WHERE id::text = $1 AND $2::text IS NOT NULL LIMIT 1`,
};

/**
 * Checks that a limited user may see what an action is about. Throws
 * `Rejection('entity_not_found')`, also if it does not exist.
 */
export const mustSee = async (pool: Pool, by: Acting, { type, id }: Subject): Promise<void> => {
  if (!isNarrowed(by)) return;
  const sql = SUBJECTS[type];
  const found = sql && (await asSeenBy(by, () => pool.query(sql, [id, type])));
  if (!found || found.rowCount === 0) throw new Rejection('entity_not_found', 'not found');
};

/**
 * The amounts of an action: that of one payment or order, that of a break, the sums of many requests
 * by currency, or the higher of the fees of both sides.
 */
const amountsOf = ({ about, notes }: Preview) => {
  if (about !== null) return [about];
  return notes.flatMap((note) => {
    if (note.code === 'amount_concerned') return [note];
    if (note.code !== 'fee_accepted') return [];
    const { amountMinor, bookedMinor, currency } = note;
    return [{ amountMinor: Math.max(Math.abs(amountMinor), Math.abs(bookedMinor)), currency }];
  });
};

/**
 * Checks the limit by amount. A status that is read again moves no money. Throws
 * `Rejection('amount_above_limit')`.
 */
export const mustBeWithinLimit = (
  user: Pick<AccessScope, 'limits'> | undefined,
  kind: ActionKind,
  preview: Preview,
  who: LimitHolder = 'you',
): void => {
  if (user === undefined || kind === 'refresh') return;
  checkAmounts(user, amountsOf(preview), who);
};
