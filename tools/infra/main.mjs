import { Failure } from './failure.mjs';
import { stopAll } from './processes.mjs';
import { dim, red, say } from './say.mjs';

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** @param {unknown} error */
const report = (error) => {
  if (
    error instanceof Error &&
    'code' in error &&
    String(error.code).startsWith('ERR_PARSE_ARGS')
  ) {
    process.stderr.write(`\n${red(error.message)}\n`);
    return;
  }
  if (!(error instanceof Failure)) {
    process.stderr.write(`\n${error instanceof Error ? error.stack : String(error)}\n`);
    return;
  }
  if (error.details !== '') process.stderr.write(`\n${dim(error.details)}\n`);
  process.stderr.write(`\n${red(error.message)}\n`);
};

/**
 * Runs a tool. The result of `work` is the exit code. A `Failure` prints one sentence and exits
 * with 1. On a signal, all started processes end before this process ends.
 * @param {() => Promise<number>} work
 */
export const runTool = async (work) => {
  let isEnding = false;
  const end = async (code) => {
    // After a second Ctrl-C this process exits immediately, and the watchdog ends the others.
    if (isEnding) process.exit(code);
    isEnding = true;
    await stopAll();
    process.exit(code);
  };
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      say(dim('\nEnding what was started …'));
      return end(code);
    });
  }
  let code = 1;
  try {
    code = await work();
  } catch (error) {
    if (!isEnding) report(error);
  }
  if (!isEnding) await end(code);
};
