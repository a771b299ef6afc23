/** `npm run bench:reconcile`: a day of 100,000 payments against its payout. 0 only within its goal. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuild } from './infra/build.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { ROOT } from './infra/paths.mjs';
import { checkNode } from './infra/preflight.mjs';
import { say } from './infra/say.mjs';
import { startThrowawayPostgres } from './infra/throwaway-servers.mjs';

await runTool(async () => {
  checkNode();
  await ensurePackages();
  await ensureBuild();
  const { url } = await startThrowawayPostgres(`bench-${process.pid}`);
  const main = pathToFileURL(join(ROOT, 'dist', 'bench', 'reconcile.js')).href;
  const { benchReconcile } = await import(main);
  return (await benchReconcile(url, say)) ? 0 : 1;
});
