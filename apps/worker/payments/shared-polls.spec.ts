import { setTimeout as sleep } from 'node:timers/promises';
import { parseInstant } from '#kernel';
import { PAYMENT_READ_DEADLINE } from '#payment';
import { WorkerBench } from '../worker.fixture.js';

let bench: WorkerBench;
beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:1');
});
afterAll(() => bench.close());

const dueAt = parseInstant('2030-03-01T12:00:00Z');

const set = (name: string, ...keys: readonly string[]): Promise<void> =>
  bench.store.step(bench.metadata(name), (step) => {
    for (const key of keys) step.setDeadline({ kind: PAYMENT_READ_DEADLINE, key, dueAt });
  });

const failures = async (steps: readonly Promise<void>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(steps)).flatMap((one) =>
    one.status === 'rejected' ? [String(one.reason)] : [],
  );

test('concurrent commits that set the same deadline all succeed', async () => {
  // The first two steps occupy both commit lanes, so that the other steps are committed in one
  // batch.
  expect(
    await failures([
      set('a', 'x1'),
      set('b', 'x2'),
      set('c', 'pay_1'),
      set('d', 'pay_1'),
      set('e', 'pay_2'),
    ]),
  ).toEqual([]);
});

test('concurrent steps that set the same deadlines in a different order do not deadlock', async () => {
  await set('z', 'a', 'b', 'z');
  const client = await bench.admin.connect();
  await client.query('BEGIN');
  await client.query("SELECT FROM jobs WHERE key = 'z' FOR UPDATE");
  const one = set('one', 'a', 'z', 'b');
  await sleep(200);
  const two = set('two', 'b', 'a');
  await sleep(200);
  await client.query('COMMIT');
  client.release();
  expect(await failures([one, two])).toEqual([]);
});
