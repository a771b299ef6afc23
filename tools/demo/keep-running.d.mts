import type { RunningApp } from '../infra/apps.mjs';

/**
 * Starts an app again whenever the app ends by itself, and prints its exit code or signal. If the
 * app has ended three times in a row within ten seconds of its start, rejects with a `Failure` that
 * contains the end of its log. Otherwise never resolves.
 */
export function keepRunning(app: RunningApp, print?: (line: string) => void): Promise<never>;
