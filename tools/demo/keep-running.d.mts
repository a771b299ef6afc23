import type { RunningApp } from '../infra/apps.mjs';

/**
 * Starts an app again whenever it ends by itself, and prints a line with its exit code or signal.
 * Rejects with a `Failure` and the end of the app's log when the app has ended three times in a
 * row within ten seconds of its start. Never resolves.
 */
export function keepRunning(app: RunningApp, print?: (line: string) => void): Promise<never>;
