/**
 * `npm run demo [-- --once --reset --story]`: starts the whole product, and plays and prints a
 * story: an order until its capture, the payout of its money until it is in the ledger, and the
 * onboarding of a merchant. The demo then runs until Ctrl-C. With `--once` it ends after the story,
 * with exit code 0 if all steps succeeded. `--reset` first deletes the data of earlier runs. If
 * such data exist, the story is played only with `--story` or `--once`.
 */
import { runDemo } from './demo/run.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';

const OPTIONS = ['--once', '--reset', '--story'];

await runTool(() => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => !OPTIONS.includes(arg));
  if (unknown !== undefined) {
    throw new Failure(
      `Unknown argument '${unknown}': the demo accepts --once, --reset and --story.`,
    );
  }
  return runDemo({
    once: args.includes('--once'),
    reset: args.includes('--reset'),
    story: args.includes('--story'),
  });
});
