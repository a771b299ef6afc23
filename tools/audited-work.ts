import type { Pool } from 'pg';
import { Rejection } from '#kernel';
import { isProviderError } from '#psp';

/** The code of a refusal that changed nothing; null when the result is unknown. */
const refusalOf = (error: unknown): string | null => {
  if (error instanceof Rejection) return error.code;
  return isProviderError(error) ? `provider_${error.kind}` : null;
};

/**
 * Work that commits by itself is audited by two rows: the request before it, and its result. Without
 * the second row the result is unknown: the events show it.
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
