/**
 * `npm run demo [-- --once --reset]`: sets everything up, sees one order through, follows its money to
 * the bank and into the ledger, onboards one merchant, and tells all of it as it happens; then stays
 * until Ctrl-C, or with `--once` ends: 0 only if everything went through. `--reset` begins empty.
 */
import { runDemo } from './demo/run.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';

const OPTIONS = ['--once', '--reset'];

await runTool(() => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => !OPTIONS.includes(arg));
  if (unknown !== undefined) {
    throw new Failure(
      `The demo does not know '${unknown}': it takes --once, --reset, both or nothing.`,
    );
  }
  return runDemo({ once: args.includes('--once'), reset: args.includes('--reset') });
});
