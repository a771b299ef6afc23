/**
 * Runs work whose signal is aborted when the caller's signal is aborted or the time is over. A
 * controller and a timer do this, because Node collects an `AbortSignal.timeout` that only
 * `AbortSignal.any` refers to as garbage, and then it never fires.
 */
export const withTimeLimit = async <T>(
  caller: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const limit = new AbortController();
  const abort = (): void => limit.abort(caller.reason);
  if (caller.aborted) abort();
  caller.addEventListener('abort', abort, { once: true });
  const timeout = setTimeout(() => {
    limit.abort(new DOMException(`no response within ${timeoutMs} ms`, 'TimeoutError'));
  }, timeoutMs);
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timeout);
    caller.removeEventListener('abort', abort);
  }
};
