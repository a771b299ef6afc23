import { Failure } from '../infra/failure.mjs';
import { say, yellow } from '../infra/say.mjs';

/** An app that ends within this time after it became ready counts as a fast failure. */
const FAST_MS = 10_000;
/** The number of consecutive fast failures of an app after which the demo ends. */
const MAX_FAST_FAILURES = 3;

const howOf = ({ code, signal }) => (signal === null ? `exit code ${code}` : signal);

/** Starts the app again. @returns {Promise<boolean>} whether the app became ready */
const startAgain = async (app) => {
  try {
    await app.restart();
    return true;
  } catch (error) {
    if (error instanceof Failure) return false; // The end of its log is reported after the last try.
    throw error;
  }
};

/** @type {typeof import('./keep-running.mjs').keepRunning} */
export const keepRunning = async (app, print = say) => {
  let fastFailures = 0;
  for (;;) {
    const startedMs = Date.now();
    const end = await app.exited();
    if (end.isStopped) return new Promise(() => {}); // The demo itself ends.
    fastFailures = Date.now() - startedMs < FAST_MS ? fastFailures + 1 : 0;
    if (fastFailures >= MAX_FAST_FAILURES) {
      throw new Failure(
        `The app ${app.app} ended ${fastFailures} times in a row (${howOf(end)}): ` +
          `fix what the end of its log above shows (${app.logFile}), then run \`npm run demo\` again.`,
        app.logTail(),
      );
    }
    print(yellow(`\n  The app ${app.app} ended by itself (${howOf(end)}) and is started again …`));
    if (await startAgain(app)) print(`  The app ${app.app} runs again.`);
    else await app.kill9();
  }
};
