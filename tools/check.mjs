/**
 * `npm run check -- [name …]`: runs the checks that need no server (checks.mjs), in under a minute.
 */
import { CHECK_NAMES, runChecks } from './infra/checks.mjs';
import { Failure } from './infra/failure.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { checkNode } from './infra/preflight.mjs';

await runTool(async () => {
  checkNode();
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !CHECK_NAMES.includes(name));
  if (unknown !== undefined) {
    throw new Failure(`There is no check '${unknown}': choose from ${CHECK_NAMES.join(', ')}.`);
  }
  await ensurePackages();
  await runChecks(names.length > 0 ? names : CHECK_NAMES);
  return 0;
});
