/**
 * Runs work. Its signal is aborted when the caller's signal is aborted or the time limit is
 * reached; the result then rejects immediately, even if the work does not end, as `fetch` sometimes
 * does not. A controller and a timer are used, because Node collects an `AbortSignal.timeout` that
 * only `AbortSignal.any` refers to as garbage, and the timeout then never fires.
 */
export const withTimeLimit = async <T>(
  caller: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const limit = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error), {
      once: true,
    });
  });
  const abort = (): void => limit.abort(caller.reason);
  if (caller.aborted) abort();
  caller.addEventListener('abort', abort, { once: true });
  const timeout = setTimeout(() => {
    limit.abort(new DOMException(`no response within ${timeoutMs} ms`, 'TimeoutError'));
  }, timeoutMs);
  try {
    return await Promise.race([work(limit.signal), aborted]);
  } finally {
    clearTimeout(timeout);
    caller.removeEventListener('abort', abort);
  }
};
