import { EventStore, PostgresLog } from '#log';
import { CallRunner, type Job, JobRunner, JobTable, MAX_TRIES, WorkLoop } from '#jobs';
import { UPCASTERS } from '#orchestrator';
import { assert, HOUR_MS, MINUTE_MS, msOf } from '#kernel';
import { paymentAggregate, type PaymentCommand } from '#payment';
import { readPayment } from '#psp';
import { waitFor } from '#testing';
import { TinyProvider } from '../tiny-provider.fixture.js';
import { newIntent, quiet, WorkerBench } from '../worker.fixture.js';
import { paymentEffects } from './payment-effects.js';

let provider: TinyProvider;
let bench: WorkerBench;
let runner: JobRunner;
const runners: JobRunner[] = [];

const newRunner = (): JobRunner => {
  const { store, clock, clientOf, capabilitiesOf, pool } = bench;
  const made = new JobRunner({
    table: new JobTable(pool),
    logger: quiet,
    now: () => clock.now(),
  });
  const calls = new CallRunner(store, clock, quiet, [
    paymentEffects({
      store,
      clock,
      clientOf,
      capabilitiesOf,
      lostTimes: () => Promise.resolve([]),
      heldDebitOf: () => Promise.resolve(null),
    }),
  ]);
  made.register(...calls.kinds());
  runners.push(made);
  return made;
};

beforeAll(async () => {
  provider = await TinyProvider.start();
  bench = await WorkerBench.open(provider.url);
  runner = newRunner();
});
beforeEach(async () => {
  provider.reset();
  await bench.admin.query('TRUNCATE jobs');
});
afterAll(async () => {
  for (const one of runners) one.stop();
  await bench.close();
  await provider.stop();
});

interface JobState {
  readonly state: string;
  readonly tries: number;
  readonly note: string;
}

const jobs = (subjectId: string): Promise<readonly JobState[]> =>
  bench.rows<JobState>(
    'SELECT state, attempts AS tries, note FROM jobs WHERE subject_id = $1 ORDER BY ordinal',
    subjectId,
  );

/** Runs the jobs that are due; returns their number. */
const runAll = async (by = runner): Promise<number> => {
  for (let total = 0; ;) {
    const claimed = await by.claim(10);
    if (claimed.length === 0) return total;
    await Promise.all(claimed.map((job) => by.run(job)));
    total += claimed.length;
  }
};

/** Advances the time until the next read is due, and runs the read. */
const nextRead = async (): Promise<void> => {
  bench.clock.advance(60_000);
  await runAll();
};

/** Makes every claim expire, as after a crash of the worker. */
const lapse = () =>
  bench.admin.query(`UPDATE jobs SET held_until = clock_timestamp() - interval '1 s'
                     WHERE state = 'running'`);

const openPayment = async (): Promise<{ id: string; intentId: string }> => {
  const id = await bench.requestIntent();
  await runAll();
  const intentId = provider.intentOf(id)?.id ?? '';
  return { id, intentId };
};

const refresh = async (id: string): Promise<void> => {
  const observation = await readPayment(await bench.clientOf(), provider.intentOf(id)?.id ?? '');
  await bench.command(id, {
    type: 'ObservePayment',
    paymentId: id,
    observation,
    at: bench.clock.now(),
  });
};

const authorizedPayment = async (): Promise<{ id: string; intentId: string }> => {
  const { id, intentId } = await openPayment();
  provider.attempt(intentId, 'authorized');
  await refresh(id);
  return { id, intentId };
};

const ask = (
  id: string,
  command:
    | { type: 'RequestCapture' }
    | {
        type: 'RequestCancel';
        reason: 'expiry' | 'cancellation';
      },
): Promise<unknown> => {
  const at = bench.clock.now();
  const full: PaymentCommand =
    command.type === 'RequestCapture'
      ? { ...command, captureId: 'cap_1', by: 'policy', at }
      : { ...command, at };
  return bench.command(id, full);
};

describe('the creation of an intent', () => {
  test('is sent once, with our reference', async () => {
    const { id, intentId } = await openPayment();
    expect(await bench.payment(id)).toMatchObject({ status: 'open', intentId, unknown: [] });
    expect(provider.asked).toEqual(['create']);
    expect(await jobs(id)).toMatchObject([{ state: 'done', tries: 1 }]);
    const [event] = await bench.rows<{ metadata: object }>(
      `SELECT metadata FROM events WHERE stream_id = $1 AND type = 'IntentCreated'`,
      id,
    );
    expect(event?.metadata).toMatchObject({ correlationId: `ord_${id}`, actor: 'provider' });
  });

  test.each(['reset', 'html'] as const)(
    'is resolved by a lookup if the intent was created but the response was lost (%s)',
    async (fault) => {
      provider.failNext('create', fault);
      const { id } = await openPayment();
      expect(await bench.payment(id)).toMatchObject({
        status: 'requested',
        unknown: ['create_intent'],
      });
      expect(await jobs(id)).toMatchObject([{ state: 'waiting' }]);
      await nextRead();
      expect(await bench.story(id)).toEqual([
        'IntentRequested',
        'RequestResultUnknown',
        'IntentCreated',
        'RequestResultResolved',
      ]);
      expect(provider.asked).toEqual(['create', 'find']);
    },
  );

  test('is sent again after a read has shown that the intent was not created', async () => {
    provider.failNext('create', 'reset_before');
    const { id } = await openPayment();
    await nextRead();
    expect(provider.asked).toEqual(['create', 'find', 'create']);
    expect(await bench.payment(id)).toMatchObject({ status: 'open', unknown: [] });
  });

  test('an intent that the provider rejects ends the payment', async () => {
    provider.failNext('create', 'refuse422');
    const { id } = await openPayment();
    expect(await bench.payment(id)).toMatchObject({
      status: 'rejected',
      reason: '422 body.amount: too much',
    });
    expect(await jobs(id)).toMatchObject([{ state: 'done' }]);
  });

  test('a creation that gets a 429 response is retried after the time in Retry-After, and its result is not recorded as unknown', async () => {
    provider.failNext('create', 'limit429');
    const { id } = await openPayment();
    const [{ due } = { due: null }] = await bench.rows<{ due: Date }>(
      'SELECT due_at AS due FROM jobs WHERE subject_id = $1',
      id,
    );
    expect(due?.getTime()).toBe(Date.parse(bench.clock.now()) + 7_000);
    await nextRead();
    expect(await bench.story(id)).toEqual(['IntentRequested', 'IntentCreated']);
  });

  test('needs an operator after two days without success', async () => {
    provider.failNext('find', 'html', 100);
    provider.failNext('create', 'html', 100);
    const { id } = await openPayment();
    for (let read = 0; read < 30; read += 1) {
      bench.clock.advance(6 * 3_600_000);
      await runAll();
    }
    expect(await jobs(id)).toMatchObject([{ state: 'stuck', tries: 22 }]);
  });
});

test('a call whose result cannot be recorded for an unknown reason needs an operator after the maximum number of runs', async () => {
  await bench.admin.query(`
    CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'it broke'; END $$;
    CREATE TRIGGER fails BEFORE INSERT ON events
       FOR EACH ROW WHEN (NEW.type = 'IntentCreated') EXECUTE FUNCTION fails()`);
  try {
    const { id } = await openPayment();
    for (let run = 2; run <= MAX_TRIES; run += 1) {
      expect(await jobs(id)).toMatchObject([{ state: 'running', tries: run - 1 }]);
      await lapse();
      await runAll();
    }
    expect(await jobs(id)).toMatchObject([{ state: 'stuck', tries: MAX_TRIES, note: 'it broke' }]);
    expect(await bench.payment(id)).toMatchObject({ unknown: ['create_intent'] });
    expect(provider.asked.filter((one) => one === 'create')).toHaveLength(1);
  } finally {
    await bench.admin.query('DROP FUNCTION fails CASCADE');
  }
});

test('before sending a call, a worker considers every event that was committed before it claimed the call', async () => {
  const id = await bench.requestIntent();
  const elsewhere = new EventStore(new PostgresLog(bench.pool), UPCASTERS, null);
  const rejection: PaymentCommand = {
    type: 'ObserveIntentRejection',
    reason: 'refused',
    at: bench.clock.now(),
  };
  await elsewhere.execute(paymentAggregate, id, rejection, bench.metadata(`ord_${id}`));
  expect((await bench.store.loadRecent(paymentAggregate, id)).version).toBe(1);
  await runAll();
  expect(provider.asked).toEqual([]);
  expect(await jobs(id)).toMatchObject([{ state: 'done' }]);
});

describe('a worker that has claimed a provider request', () => {
  test('crashes before it sends the request: another worker searches for the intent and then sends the request', async () => {
    const id = await bench.requestIntent();
    const [job] = await runner.claim(10);
    expect(job).toMatchObject({ subjectId: id, found: 'ready', attempts: 1 });
    expect(await newRunner().claim(10)).toEqual([]);
    await lapse();
    await runAll();
    expect(provider.asked).toEqual(['find', 'create']);
    expect(await bench.payment(id)).toMatchObject({ status: 'open' });
    expect(await jobs(id)).toMatchObject([{ state: 'done', tries: 2 }]);
  });

  test('crashes between the request and the commit: another worker finds the intent and sends no second request', async () => {
    const id = await bench.requestIntent();
    const client = await bench.clientOf();
    await runner.claim(10);
    await client.createIntent(newIntent(id));
    await lapse();
    await runAll();
    expect(provider.asked).toEqual(['create', 'find']);
    expect(await bench.payment(id)).toMatchObject({ status: 'open' });
  });

  test('is delayed until another worker has claimed the request: it then changes nothing', async () => {
    const id = await bench.requestIntent();
    const [late] = await runner.claim(1);
    await lapse();
    const other = newRunner();
    await runAll(other);
    await runner.run(late as Job);
    expect(await bench.story(id)).toEqual(['IntentRequested', 'IntentCreated']);
    expect(await jobs(id)).toMatchObject([{ state: 'done', tries: 2 }]);
  });
});

test('two workers send each call once, and the calls of a payment one after another', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, () => bench.requestIntent()));
  await Promise.all(ids.map((id) => ask(id, { type: 'RequestCancel', reason: 'cancellation' })));
  const callsOf = (id: string) =>
    bench.rows<{ calls: number }>(
      `SELECT count(*)::int AS calls FROM jobs WHERE subject_id = $1 AND state = 'running'`,
      id,
    );
  let overlaps = 0;
  const loops = [newRunner(), newRunner()].map(
    (one) =>
      new WorkLoop<Job>({
        name: 'effects',
        logger: quiet,
        width: 8,
        idleMs: { first: 5, longest: 5 },
        claim: (limit) => one.claim(limit),
        run: async (job) => {
          if ((await callsOf(job.subjectId ?? ''))[0]?.calls !== 1) overlaps += 1;
          await one.run(job);
        },
      }),
  );
  for (const loop of loops) loop.start();
  await waitFor(async () => {
    const [row] = await bench.rows<{ open: number }>(
      `SELECT count(*)::int AS open FROM jobs WHERE subject_id IS NOT NULL AND state <> 'done'`,
    );
    return row?.open === 0;
  });
  await Promise.all(loops.map((loop) => loop.stop()));
  expect(overlaps).toBe(0);
  expect(provider.count('create')).toBe(40);
  expect(provider.count('cancel')).toBe(40);
  for (const id of ids) expect(await bench.payment(id)).toMatchObject({ status: 'canceled' });
});

describe('a capture', () => {
  test('is sent after a read that shows the authorization', async () => {
    const { id } = await authorizedPayment();
    provider.reset();
    await ask(id, { type: 'RequestCapture' });
    await runAll();
    expect(provider.asked).toEqual(['get', 'capture']);
    expect(await bench.payment(id)).toMatchObject({ status: 'to_capture' });
  });

  test('a capture with an unknown result is resolved by a read, and not sent again if the provider has captured', async () => {
    const { id } = await authorizedPayment();
    await ask(id, { type: 'RequestCapture' });
    provider.reset();
    provider.failNext('capture', 'reset');
    await runAll();
    expect(await bench.payment(id)).toMatchObject({ status: 'authorized', unknown: ['capture'] });
    await nextRead();
    expect(provider.asked).toEqual(['get', 'capture', 'get', 'attempts']);
    expect(await bench.payment(id)).toMatchObject({ status: 'to_capture', unknown: [] });
    expect((await bench.story(id)).slice(-3)).toEqual([
      'RequestResultUnknown',
      'CaptureAccepted',
      'RequestResultResolved',
    ]);
  });

  test('is retried after short intervals on the last day of its authorization', async () => {
    const { id } = await authorizedPayment();
    const payment = await bench.payment(id);
    assert(payment.status === 'authorized', 'the payment is authorized');
    bench.clock.advance(msOf(payment.expiresAt) - msOf(bench.clock.now()) - 12 * HOUR_MS);
    await ask(id, { type: 'RequestCapture' });
    provider.failNext('get', 'html', 1_000);
    for (let quarter = 0; quarter < 38; quarter += 1) {
      await runAll();
      bench.clock.advance(15 * MINUTE_MS);
    }
    expect(await jobs(id)).toMatchObject([{ state: 'done' }, { state: 'waiting' }]);
    provider.reset();
    await runAll();
    expect(await bench.payment(id)).toMatchObject({ status: 'to_capture' });
  });

  test('a capture with an unknown result is sent again after a read has shown no capture', async () => {
    const { id } = await authorizedPayment();
    await ask(id, { type: 'RequestCapture' });
    provider.reset();
    provider.failNext('capture', 'reset_before');
    await runAll();
    await nextRead();
    expect(provider.asked).toEqual(['get', 'capture', 'get', 'capture']);
    expect(await bench.payment(id)).toMatchObject({ status: 'to_capture', unknown: [] });
  });

  test('is not sent if the authorization has expired, and the expiry is recorded', async () => {
    const { id, intentId } = await authorizedPayment();
    await ask(id, { type: 'RequestCapture' });
    const intent = provider.intents.get(intentId);
    if (intent) intent.status = 'unpaid';
    await runAll();
    expect(provider.count('capture')).toBe(0);
    expect(await bench.payment(id)).toMatchObject({ status: 'expired' });
  });

  test('is not sent after a cancellation by the platform', async () => {
    const { id } = await authorizedPayment();
    await ask(id, { type: 'RequestCapture' });
    await ask(id, { type: 'RequestCancel', reason: 'cancellation' });
    await runAll();
    expect(provider.count('capture')).toBe(0);
    expect(await bench.payment(id)).toMatchObject({ status: 'canceled' });
  });

  test('a capture that the provider temporarily refuses is retried', async () => {
    const { id } = await authorizedPayment();
    await ask(id, { type: 'RequestCapture' });
    provider.failNext('capture', '409');
    await runAll();
    expect(await jobs(id)).toMatchObject([{ state: 'done' }, { state: 'waiting' }]);
    await nextRead();
    expect(await bench.payment(id)).toMatchObject({ status: 'to_capture' });
  });
});

describe('the cancellation of an intent', () => {
  test('ends an intent that is still open', async () => {
    const { id } = await openPayment();
    await ask(id, { type: 'RequestCancel', reason: 'expiry' });
    await runAll();
    expect(await bench.payment(id)).toMatchObject({ status: 'canceled', cancel: null });
  });

  test('the cancellation for an expired order is not sent when the payer has just paid', async () => {
    const { id, intentId } = await openPayment();
    await ask(id, { type: 'RequestCancel', reason: 'expiry' });
    provider.attempt(intentId, 'authorized');
    await runAll();
    expect(provider.count('cancel')).toBe(0);
    expect(await bench.payment(id)).toMatchObject({ status: 'authorized', cancel: null });
  });

  test('a cancellation that the platform requests releases the authorization', async () => {
    const { id } = await authorizedPayment();
    await ask(id, { type: 'RequestCancel', reason: 'cancellation' });
    await runAll();
    expect(await bench.payment(id)).toMatchObject({ status: 'canceled' });
  });

  test('a cancellation that reaches the provider after a capture was sent records the payment’s actual status', async () => {
    const { id, intentId } = await authorizedPayment();
    await ask(id, { type: 'RequestCancel', reason: 'cancellation' });
    provider.before = (verb) => {
      const intent = provider.intents.get(intentId);
      if (verb === 'cancel' && intent) intent.status = 'capture_sent';
    };
    await runAll();
    expect(await bench.payment(id)).toMatchObject({ status: 'capture_sent', cancel: null });
    expect(await jobs(id)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });

  test('a cancellation with an unknown result is resolved by a read', async () => {
    const { id } = await openPayment();
    await ask(id, { type: 'RequestCancel', reason: 'cancellation' });
    provider.failNext('cancel', 'reset');
    await runAll();
    expect(await bench.payment(id)).toMatchObject({ unknown: ['cancel'] });
    await nextRead();
    expect(provider.count('cancel')).toBe(1);
    expect(await bench.payment(id)).toMatchObject({ status: 'canceled', unknown: [] });
  });
});

describe('a cancellation whose retries are exhausted', () => {
  /** The provider rejects our API key until the cancellation is stuck. */
  const stuckCancel = async (id: string, reason: 'expiry' | 'cancellation'): Promise<void> => {
    await ask(id, { type: 'RequestCancel', reason });
    provider.failNext('get', 'refuse401', MAX_TRIES);
    for (let run = 0; run < MAX_TRIES; run += 1) {
      await runAll();
      bench.clock.advance(6 * HOUR_MS);
    }
    expect((await jobs(id)).at(-1)).toMatchObject({ state: 'stuck', tries: MAX_TRIES });
  };

  test('does not block the capture of a payment that was made in time', async () => {
    const { id, intentId } = await openPayment();
    await stuckCancel(id, 'expiry');
    provider.attempt(intentId, 'authorized');
    await refresh(id);
    await ask(id, { type: 'RequestCapture' });
    await runAll();
    expect(provider.count('capture')).toBe(1);
    expect(provider.count('cancel')).toBe(0);
    expect(await bench.payment(id)).toMatchObject({ status: 'to_capture', cancel: null });
    expect(await jobs(id)).toMatchObject([{}, { state: 'done' }, { state: 'done' }]);
  });

  test('does not block the refund of a payment that was captured before', async () => {
    const { id, intentId } = await authorizedPayment();
    await stuckCancel(id, 'cancellation');
    provider.attempt(intentId, 'captured');
    await refresh(id);
    await bench.command(id, {
      type: 'RequestRefund',
      requestId: 'rfr_1',
      amountMinor: 500,
      reference: null,
      reason: null,
      at: bench.clock.now(),
    });
    await runAll();
    expect(provider.count('refund')).toBe(1);
    expect(provider.count('cancel')).toBe(0);
  });

  test('stays stuck while the cancellation is requested', async () => {
    const { id, intentId } = await openPayment();
    await stuckCancel(id, 'cancellation');
    provider.attempt(intentId, 'authorized');
    await refresh(id);
    expect(await bench.payment(id)).toMatchObject({ status: 'authorized', cancel: 'cancellation' });
    expect((await jobs(id)).at(-1)).toMatchObject({ state: 'stuck' });
  });
});

test('the worker retries with growing intervals while the provider is down', async () => {
  const { id } = await openPayment();
  await ask(id, { type: 'RequestCancel', reason: 'cancellation' });
  provider.failNext('get', 'html', 3);
  await runAll();
  for (let read = 0; read < 3; read += 1) await nextRead();
  expect(await bench.payment(id)).toMatchObject({ status: 'canceled' });
  expect(await bench.story(id)).not.toContain('RequestResultUnknown');
});

describe('a provider’s text that the database cannot store', () => {
  test('an invalid text in the message of a refusal does not prevent the recording of the refusal', async () => {
    provider.failNext('create', 'refuse_unstorable');
    const { id } = await openPayment();
    expect(await bench.payment(id)).toMatchObject({ status: 'rejected' });
    expect(await jobs(id)).toMatchObject([{ state: 'done' }]);
  });

  test('an invalid text in a payment attempt makes only the attempt unreadable, and the payment’s status is read from the intent', async () => {
    const { id, intentId } = await openPayment();
    await ask(id, { type: 'RequestCancel', reason: 'cancellation' });
    provider.attempt(intentId, 'refused', 'require_payment_method', '\0');
    expect(await runAll()).toBe(1);
    expect(await jobs(id)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(await bench.payment(id)).toMatchObject({ status: 'canceled' });
  });
});
