/**
 * `npm run demo [-- --once]`: sets everything up, sees one order through, onboards one merchant,
 * and tells both as they happen; then stays until Ctrl-C, or with `--once` ends: 0 only if both went
 * through.
 */
import { runDemo } from './demo/run.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';

await runTool(() => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => arg !== '--once');
  if (unknown !== undefined) {
    throw new Failure(`The demo does not know '${unknown}': it takes --once, or nothing.`);
  }
  return runDemo({ once: args.includes('--once') });
});
