import { repeatedly } from './backoff.js';

test('work is repeated after each pause, even if it fails, until the signal aborts', async () => {
  const stop = new AbortController();
  const failures: unknown[] = [];
  let runs = 0;
  const work = (): Promise<void> => {
    runs += 1;
    if (runs === 3) stop.abort();
    return runs === 2 ? Promise.resolve() : Promise.reject(new Error(`run ${runs}`));
  };
  await repeatedly(work, 1, stop.signal, (error) => failures.push(error));
  expect(runs).toBe(3);
  expect(failures).toMatchObject([{ message: 'run 1' }]);
});
