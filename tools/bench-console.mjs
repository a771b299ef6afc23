/** `node tools/bench-console.mjs [--orders N] [--rebuild]`: lists and searches of the console. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { ensureBuild } from './infra/build.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { ROOT } from './infra/paths.mjs';
import { checkDisk, checkNode } from './infra/preflight.mjs';
import { say } from './infra/say.mjs';
import { startThrowawayServers } from './infra/throwaway-servers.mjs';

const MOST_MS = 300;

await runTool(async () => {
  const { values } = parseArgs({
    options: { orders: { type: 'string', default: '1000000' }, rebuild: { type: 'boolean' } },
  });
  checkNode();
  checkDisk();
  await ensurePackages();
  await ensureBuild();
  const { env } = await startThrowawayServers(`bench-console-${process.pid}`);
  const file = join(ROOT, 'dist', 'bench', 'console-lists.js');
  const { benchConsole } = await import(pathToFileURL(file).href);
  const slowest = await benchConsole({
    databaseUrl: env.DATABASE_URL, orders: Number(values.orders), say,
    rebuild: values.rebuild === true,
  });
  say(`\nslowest ${Math.round(slowest)} ms; to hold: ${MOST_MS} ms`);
  return slowest > MOST_MS ? 1 : 0;
});
