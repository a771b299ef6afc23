import { EffectsBench } from './payments/calls.fixture.js';
import type { TinyProvider } from './tiny-provider.fixture.js';
import type { WorkerBench } from './worker.fixture.js';

/** A worker of an older release that cannot read the data of a newer release. */

let effects: EffectsBench;
let provider: TinyProvider;
let bench: WorkerBench;
beforeAll(async () => {
  effects = await EffectsBench.open();
  ({ provider, bench } = effects);
});
beforeEach(() => effects.reset());
afterAll(() => effects.close());

const writeNewer = async (id: string): Promise<void> => {
  await bench.admin.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                         metadata)
     SELECT stream_type, stream_id, max(version) + 1, gen_random_uuid(), 'PaymentBlessed', 1, '{}',
            '{"correlationId": "ord_1"}'
       FROM events WHERE stream_id = $1 GROUP BY 1, 2`,
    [id],
  );
};

const upgrade = async (): Promise<void> => {
  await bench.admin.query(`DELETE FROM events WHERE type = 'PaymentBlessed'`);
};

test('a worker of an older release that cannot read a payment’s events leaves the payment’s calls to a newer worker', async () => {
  const id = await bench.requestIntent();
  await writeNewer(id);
  const old = effects.newRunner();
  for (let tries = 0; tries < 30; tries += 1) {
    await effects.runAll(old);
    await effects.lapse();
  }
  expect(provider.asked).toEqual([]);
  expect(await effects.jobs(id)).toMatchObject([{ state: 'waiting', tries: 0 }]);
  await upgrade();
  await effects.lapse();
  await effects.runAll(effects.newRunner());
  expect(await effects.jobs(id)).toMatchObject([{ state: 'done', tries: 1 }]);
  expect(provider.count('create')).toBe(1);
});

test('a worker of an older release leaves a call of an unknown kind to a newer worker, and delays only calls of the same payment', async () => {
  const [id, other] = [await bench.requestIntent(), await bench.requestIntent()];
  await bench.admin.query(`UPDATE jobs SET kind = 'bless' WHERE subject_id = $1`, [id]);
  await bench.command(id, { type: 'RequestCancel', reason: 'cancellation', at: bench.clock.now() });
  await effects.runAll(effects.newRunner());
  expect(await effects.jobs(id)).toMatchObject([
    { state: 'ready', tries: 0 },
    { state: 'ready', tries: 0 },
  ]);
  expect(await effects.jobs(other)).toMatchObject([{ state: 'done' }]);
});

test('a provider call that may have been sent is not marked as unsent by a worker of an older release that cannot read the call', async () => {
  const id = await bench.requestIntent();
  await effects.newRunner().claim(1);
  await bench.admin.query(`UPDATE jobs SET held_until = now() - interval '1 second'`);
  await writeNewer(id);
  const old = effects.newRunner();
  for (const job of await old.claim(1)) await old.run(job);
  expect(await effects.jobs(id)).toMatchObject([{ state: 'running' }]);
  await upgrade();
});
