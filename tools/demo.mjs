/**
 * `npm run demo [-- --once --reset]`: sets everything up, takes one order to its capture, follows its
 * money to the bank and into the ledger, onboards one merchant, and prints all of it; then stays up
 * until Ctrl-C, or with `--once` ends with 0 if everything succeeded. `--reset` begins empty.
 */
import { runDemo } from './demo/run.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';

const OPTIONS = ['--once', '--reset'];

await runTool(() => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => !OPTIONS.includes(arg));
  if (unknown !== undefined) {
    throw new Failure(`Unknown argument '${unknown}': the demo accepts --once and --reset.`);
  }
  return runDemo({ once: args.includes('--once'), reset: args.includes('--reset') });
});
