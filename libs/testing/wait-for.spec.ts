import { waitFor } from './wait-for.js';

test('waitFor returns the first truthy value', async () => {
  let polls = 0;
  const seen = await waitFor(() => (++polls < 3 ? undefined : 'here'), { everyMs: 1 });
  expect(seen).toBe('here');
});

test('waitFor throws after its timeout, with the error of the last attempt as the cause', async () => {
  const wait = waitFor(() => Promise.reject(new Error('refused')), { timeoutMs: 5, everyMs: 1 });
  await expect(wait).rejects.toMatchObject({ cause: new Error('refused') });
});
