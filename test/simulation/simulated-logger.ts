import { AssertionFailed } from '#kernel';
import type { Logger } from '#platform';

/**
 * The logger of simulated workers. Reports each logged assertion error as a bug, because a worker
 * logs such an error and continues.
 */
export const simulatedLogger = (
  onLine: (line: string) => void,
  onBug: (error: unknown) => void,
): Logger => {
  const log =
    (level: string) =>
    (fields: { err?: unknown }, message: string): void => {
      const { err } = fields;
      const cause = err instanceof Error ? ` (${err.name}: ${err.message})` : '';
      onLine(`${level}: ${message}${cause}`);
      if (err instanceof AssertionFailed) onBug(err);
    };
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
  return Object.fromEntries(levels.map((level) => [level, log(level)])) as unknown as Logger;
};
