import { NoFinalResponse } from '../stack/platform.js';

/**
 * A check that failed during the run, which then ends: its other checks would wait for work that
 * never ends.
 */
export class FailedDuringRun extends Error {
  override readonly name = 'FailedDuringRun';
}

/** The name of the check that failed during the run; null for an error of the run itself. */
export const checkFailedBy = (error: unknown): string | null => {
  if (error instanceof FailedDuringRun) return error.message;
  if (error instanceof NoFinalResponse) return `each request is answered: ${error.message}`;
  return null;
};
