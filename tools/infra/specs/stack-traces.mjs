/**
 * Formats each frame of a stack trace only once. Jest looks up the position of every frame in the
 * source maps whenever a stack is read, and the browser's driver reads a stack of up to 50 frames
 * in each call.
 */

/** The name of the function by which Jest formats stacks. */
const OF_JEST = 'bound formatStackTrace';

/** The formatted frames, by the text of the frame from V8. @type {Map<string, string>} */
const formatted = new Map();

/**
 * @param {NonNullable<typeof Error.prepareStackTrace>} formatOfJest
 * @returns {typeof Error.prepareStackTrace}
 */
const withKeptFrames = (formatOfJest) => {
  const lineOf = (frame) => {
    const key = String(frame);
    const kept = formatted.get(key);
    if (kept !== undefined) return kept;
    const stack = formatOfJest({ name: 'Error' }, [frame]);
    const line = stack.slice(stack.indexOf('\n'));
    formatted.set(key, line);
    return line;
  };
  return (error, frames) => formatOfJest(error, []) + frames.map(lineOf).join('');
};

/**
 * Caches the frames of the formatter that Jest sets for each spec. Other formatters stay unchanged.
 */
export const keepFormattedFrames = () => {
  let format = Error.prepareStackTrace;
  Object.defineProperty(Error, 'prepareStackTrace', {
    configurable: true,
    get: () => format,
    set: (next) => {
      format = next?.name === OF_JEST ? withKeptFrames(next) : next;
    },
  });
};
