/**
 * Runs work with a signal that is aborted when the caller's signal is aborted or the time limit is
 * reached. The result then rejects immediately, even if the work ignores the signal, as `fetch`
 * sometimes does. `AbortSignal.timeout` is not used: Node may delete such a signal by garbage
 * collection when only `AbortSignal.any` refers to it, so the timeout would never occur.
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
