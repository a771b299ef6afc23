const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined;

/** @param {string} code @returns {(text: string) => string} */
const paint = (code) => (text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = paint('1');
export const dim = paint('2');
export const red = paint('31');
export const green = paint('32');
export const yellow = paint('33');
export const cyan = paint('36');

/** @param {string} [text] */
export const say = (text = '') => process.stdout.write(`${text}\n`);

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;

/**
 * Runs one step of the set-up and prints a line when it has ended. For a long step, also prints a
 * line at its start and every fifteen seconds.
 * @template T
 * @param {string} name the line at the end, e.g. `Databases migrated`
 * @param {() => Promise<T>} work
 * @param {{ doing?: string, long?: string }} [options] `doing`: the name while the step runs;
 * `long`: what to expect, printed at the start
 * @returns {Promise<T>}
 */
export const step = async (name, work, { doing = name, long } = {}) => {
  const startedMs = Date.now();
  if (long !== undefined) say(`  ${dim('·')} ${doing} … ${dim(`(${long})`)}`);
  const beat = setInterval(() => {
    say(`  ${dim(`· ${doing}: still going, ${seconds(Date.now() - startedMs)}`)}`);
  }, 15_000);
  try {
    const result = await work();
    say(`  ${green('✓')} ${name} ${dim(seconds(Date.now() - startedMs))}`);
    return result;
  } catch (error) {
    say(`  ${red('✗')} ${name}`);
    throw error;
  } finally {
    clearInterval(beat);
  }
};
