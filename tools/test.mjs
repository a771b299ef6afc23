/** `npm test -- <jest arguments>`: sets everything up, then runs the specs on real servers. */
import { runTool } from './infra/main.mjs';
import { runSuite } from './infra/suite.mjs';

await runTool(() => runSuite(process.argv.slice(2)));
