import type { Pool } from 'pg';
import { Rejection } from '#kernel';
import { isProviderError } from '#psp';

/**
 * The error code if the work was refused, so that it has changed nothing; null for any other error.
 */
const refusalOf = (error: unknown): string | null => {
  if (error instanceof Rejection) return error.code;
  return isProviderError(error) ? `provider_${error.kind}` : null;
};

/**
 * Audits work that commits in its own transactions. Writes an audit entry before the work (the
 * request) and one after the work (the result). If the process ends between them, only the events
 * show the result.
 */
export const auditedWork = async <T>(
  pool: Pool,
  origin: AuditOrigin,
  entry: AuditEntry,
  work: () => Promise<{ readonly outcome: Readonly<Record<string, unknown>>; readonly answer: T }>,
): Promise<T> => {
  const record = (end: string, more: AuditEntry['detail'] = {}) =>
    recordAudit(pool, origin, {
      ...entry,
      action: `${entry.action}_${end}`,
      detail: { ...entry.detail, ...more },
    });
  await record('requested');
  try {
    const { outcome, answer } = await work();
    await record('done', { outcome });
    return answer;
  } catch (error) {
    const code = refusalOf(error);
    if (code !== null) await record('failed', { code });
    throw error;
  }
};
import { type AuditEntry, type AuditOrigin, recordAudit } from '#operations';
