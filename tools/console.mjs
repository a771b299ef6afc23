/** `node tools/console.mjs build|types`: builds the admin app's console, or checks its types. */
import { buildConsole, checkConsole } from './infra/console.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';

const WORK = { build: buildConsole, types: checkConsole };

await runTool(async () => {
  const work = WORK[process.argv[2]];
  if (work === undefined) throw new Failure(`Choose one of: ${Object.keys(WORK).join(', ')}.`);
  await work();
  return 0;
});
