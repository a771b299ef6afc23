/** `node tools/programs.mjs`: bundles the programs of the build into `dist/programs`. */
import { runTool } from './infra/main.mjs';
import { bundlePrograms } from './infra/programs.mjs';

await runTool(async () => {
  await bundlePrograms();
  return 0;
});
