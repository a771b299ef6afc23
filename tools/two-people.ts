import type { Pool } from 'pg';
import { Rejection } from '#kernel';
import { recordAudit, type AuditOrigin, type AuditSubject as Subject } from '#operations';
import { isProduction } from '#platform';

/**
 * A change by a single person on the command line, which would require a second person's approval
 * in the console.
 */
export interface LoneDeed {
  /** The action in the audit, e.g. `api_key.created`. */
  readonly action: string;
  readonly subject: Subject | null;
  readonly reason: string;
  readonly breaksGlass: boolean;
}

const REFUSED =
  'in production this requires two people: request it in the console, where a second one approves. ' +
  'In an emergency add --break-glass, which is audited and raises an alert';

/**
 * Permits a single person a change. In production this requires `--break-glass`, which raises an
 * alert and is audited before the change; without it, throws `Rejection('two_people')`.
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
