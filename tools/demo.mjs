/**
 * `npm run demo [-- --once]`: sets everything up, sees one order through and tells it as it happens;
 * then stays until Ctrl-C, or with `--once` ends: 0 only if the order went through.
 */
import { runDemo } from './demo/run.mjs';
import { runTool } from './infra/main.mjs';

await runTool(() => runDemo({ once: process.argv.includes('--once') }));
