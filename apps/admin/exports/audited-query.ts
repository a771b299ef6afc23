import type { ListQuery } from '#lists';
import { holdsNoneOfAPerson } from '../shared/reason.dto.js';

/**
 * The query of an export as its audit entry contains it, which is stored permanently. The words for
 * which a user searched may be a name or an email address, so only the fact of a search is kept.
 */
export const auditedQuery = ({
  search,
  ...filters
}: ListQuery): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      typeof value === 'string' && !holdsNoneOfAPerson(value) ? '[removed]' : value,
    ]),
  ),
  ...(search !== undefined && { searched: true }),
});
