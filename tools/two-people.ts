import type { Pool } from 'pg';
import { Rejection } from '#kernel';
import { recordAudit, type AuditOrigin, type AuditSubject as Subject } from '#operations';
import { isProduction } from '#platform';

/**
 * A change that one person makes alone on the command line. In the console, a second person would
 * have to approve it.
 */
export interface LoneDeed {
  /** The name of the action in the audit, e.g. `api_key.created`. */
  readonly action: string;
  readonly subject: Subject | null;
  readonly reason: string;
  readonly breaksGlass: boolean;
}

const REFUSED =
  'in production this change requires two people: request it in the console, where a second person approves. ' +
  'In an emergency add --break-glass, which is audited and raises an alert';

/**
 * Permits a change by a single person. In production the change requires `--break-glass`, which
 * raises an alert and is audited before the change; otherwise throws `Rejection('two_people')`.
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
    action: 'break_glass.used',
    subject,
    reason,
    detail: { for: action },
  });
  process.stderr.write(`break-glass for ${action}: this is audited, and raises an alert\n`);
};
