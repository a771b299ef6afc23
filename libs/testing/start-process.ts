import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { RunningApp, StartAppOptions } from '../../tools/infra/apps.mjs';
import { startApp } from '../../tools/infra/apps.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';

/**
 * Lets the system choose the ports that a spec does not set, because only one app at a time could
 * use the default ports.
 */
export const FREE_PORTS = { API_TLS_PORT: '0', API_INTERNAL_PORT: '0', SANDBOX_TLS_PORT: '0' };

/**
 * Starts a compiled app as a process for one spec, with its log in a temporary file, and waits
 * until the app is ready. The app's process ends at the latest when the spec's process ends.
 */
export const startProcess = (options: StartAppOptions): Promise<RunningApp> => {
  const dir = scratchDir(mkdtempSync(join(tmpdir(), 'app-log-')));
  const { app, env } = options;
  return startApp({ logFile: join(dir, `${app}.log`), ...options, env: { ...FREE_PORTS, ...env } });
};
