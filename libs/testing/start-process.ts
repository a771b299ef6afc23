import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { RunningApp, StartAppOptions } from '../../tools/infra/apps.mjs';
import { startApp } from '../../tools/infra/apps.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';

/** Any free ports where a spec names none: only one app at a time can use those of the settings. */
export const FREE_PORTS = { API_TLS_PORT: '0', API_INTERNAL_PORT: '0', SANDBOX_TLS_PORT: '0' };

/**
 * Starts a compiled app in a separate process for one spec, with its log in a temporary file, and
 * waits until it is ready. It ends with the spec's process at the latest.
 */
export const startProcess = (options: StartAppOptions): Promise<RunningApp> => {
  const dir = scratchDir(mkdtempSync(join(tmpdir(), 'app-log-')));
  const { app, env } = options;
  return startApp({ logFile: join(dir, `${app}.log`), ...options, env: { ...FREE_PORTS, ...env } });
};
