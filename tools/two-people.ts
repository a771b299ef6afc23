import type { Pool } from 'pg';
import type { AuditOrigin, Subject } from '../apps/admin/shared/audit.js';
import { Rejection } from '#kernel';
import { recordAudit } from '#operations';
import { isProduction } from '#platform';

/** What the command line would do alone that takes two people in the console. */
export interface LoneDeed {
  /** As the audit names it, e.g. `api_key.created`. */
  readonly action: string;
  readonly subject: Subject | null;
  readonly reason: string;
  readonly breaksGlass: boolean;
}

const REFUSED =
  'in production this takes two people: ask for it in the console, where a second person approves. ' +
  'In an emergency add --break-glass: everybody is alerted, and the audit has it for ever';

/**
 * In development one person may do all of it. In production the glass is broken for it, which is in
 * the audit before anything is done, and alerted on.
 * Throws `Rejection('two_people')`.
 */
export const allowAlone = async (
  pool: Pool,
  origin: AuditOrigin,
  deed: LoneDeed,
): Promise<void> => {
  if (!(await isProduction(pool))) return;
  const { action, subject, reason, breaksGlass } = deed;
  if (!breaksGlass) throw new Rejection('two_people', REFUSED);
  await recordAudit(pool, origin, {
    action: 'glass.broken',
    subject,
    reason,
    detail: { for: action },
  });
  process.stderr.write(
    `the glass is broken for ${action}: this is audited, and everybody is alerted\n`,
  );
};
