import { ApiProblem } from '../api/client';
import { allCasesOf, type Case } from './case';

/** The result of a change of many cases. */
export interface BulkResult {
  readonly refused: readonly Refused[];
  /** The number of cases that were left as they are. */
  readonly skipped: number;
  /** The number of selected incidents that were not found, because their first case has ended. */
  readonly stale: number;
}

/** A case whose change the server refused. */
interface Refused {
  readonly one: Case;
  readonly error: ApiProblem;
}

/** The statuses of responses that refuse one change, and say nothing about other changes. */
const REFUSALS: readonly number[] = [403, 404, 409, 422];

/**
 * Applies a change to each selected case that `mayChange` allows. A refusal does not stop the
 * changes of other cases. A case that has ended meanwhile needs no change.
 */
export const changeAll = async (
  rows: readonly Case[],
  change: (id: string) => Promise<unknown>,
  mayChange: (one: Case) => boolean = () => true,
): Promise<BulkResult> => {
  const refused: Refused[] = [];
  let [skipped, stale] = [0, 0];
  for (const row of rows) {
    const cases = await allCasesOf(row);
    if (cases.length === 0) stale += 1;
    for (const one of cases) {
      if (!mayChange(one)) {
        skipped += 1;
        continue;
      }
      try {
        await change(one.id);
      } catch (error) {
        if (!(error instanceof ApiProblem && REFUSALS.includes(error.status))) throw error;
        if (error.code !== 'case_not_found') refused.push({ one, error });
      }
    }
  }
  return { refused, skipped, stale };
};
