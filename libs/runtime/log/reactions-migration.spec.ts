import { parseInstant } from '#kernel';
import { openStore } from '#orchestrator';
import { waitFor } from '#testing';
import { DataSource, type QueryRunner } from 'typeorm';
import { Reactions1760000000300 } from '../../../migrations/orchestrator/1760000000300-reactions.js';
import {
  waitForOlderTransactions,
} from '../../../migrations/orchestrator/older-transactions.js';
import { type OldEvent, ReleaseBefore } from './release-before.fixture.js';
import { WaitingSagas } from './waiting-sagas.js';

const AT = '2030-03-06T12:00:00.000Z';
const NOW = parseInstant('2030-03-06T12:10:00Z');

const TERMS = {
  platformId: 'plat_1', merchantId: 'mer_1', accountId: 'acc_1', reference: 'A-1',
  amountMinor: 12_500, currency: 'eur', capture: { policy: 'automatic' }, methods: ['card'],
  returnUrl: null, description: null, metadata: {}, expiresAt: '2030-03-07T12:00:00.000Z',
};

const event = (
  streamType: string, streamId: string, version: number, type: string,
  { correlationId = streamId, ...data }: Record<string, unknown> = {},
): OldEvent => ({
  streamType, streamId, version, type, data: { ...data, at: AT },
  correlationId: correlationId as string | null,
});

const placed = (orderId: string) => event('order', orderId, 1, 'OrderPlaced', TERMS);

const cancellation = (orderId: string, version: number) =>
  event('order', orderId, version, 'OrderCancellationRequested');

const authorized = (orderId: string, paymentId: string, version: number) =>
  event('payment', paymentId, version, 'PaymentAuthorized', {
    correlationId: orderId, attemptId: `paym_${orderId}`, expiresAt: '2030-03-13T12:00:00.000Z',
  });

/** An order and its payment up to the page on which the payer pays. */
const paying = (orderId: string, paymentId: string): readonly OldEvent[] => {
  const { merchantId: _merchantId, reference: _reference, capture: _capture, ...terms } = TERMS;
  const { metadata: _metadata, expiresAt: _expiresAt, ...intent } = terms;
  return [
    placed(orderId),
    event('order', orderId, 2, 'OrderPaymentStarted', { paymentId, ordinal: 1 }),
    event('payment', paymentId, 1, 'IntentRequested', {
      correlationId: orderId, orderId, ...intent,
    }),
    event('payment', paymentId, 2, 'IntentCreated', {
      correlationId: orderId, intentId: `pi_${orderId}`, pageUrl: 'https://pay.example',
    }),
  ];
};

const payingState = (paymentId: string) =>
  ({ status: 'paying', terms: TERMS, paymentId, closing: null, failure: null });

const DONE = { status: 'done' };

let before: ReleaseBefore;
beforeEach(async () => {
  before = await ReleaseBefore.open();
});
afterEach(() => before.close());

/** What the consumer of a saga has taken: `<stream type> <stream id>` and the version. */
const taken = async (consumer: string, streams: Readonly<Record<string, number>>) => {
  for (const [stream, version] of Object.entries(streams)) {
    await before.rows(
      'INSERT INTO inbox SELECT $1, $2, $3, $4', consumer, ...stream.split(' '), version);
  }
};

const saved = (key: string, version: number, state: { readonly status: string }) =>
  before.rows(
    `INSERT INTO sagas (saga, key, version, state, done) VALUES ('checkout', $1, $2, $3, $4)`,
    key, version, JSON.stringify(state), state.status === 'done');

const instances = () =>
  before.rows<{ key: string }>(`
    SELECT saga, key, version, done, waiting ->> 'attempts' AS attempts,
           ARRAY(SELECT concat_ws(' ', s ->> 'from', s ->> 'streamType', s ->> 'streamId',
                                  s ->> 'version')
                   FROM jsonb_array_elements(waiting -> 'stimuli') AS s) AS stimuli,
           retry_at <= clock_timestamp() AS "isDue", failing_since IS NOT NULL AS "isFailing"
      FROM sagas ORDER BY saga, key`);

const waiting = (saga: string, key: string, version: number, ...stimuli: string[]) => ({
  saga, key, version, done: false, attempts: '0',
  stimuli: stimuli.map((one) => `event ${one}`), isDue: true, isFailing: true,
});

const settled = (saga: string, key: string, version: number, done: boolean) =>
  ({ saga, key, version, done, attempts: null, stimuli: [], isDue: null, isFailing: false });

const waitingOnes = async (): Promise<readonly string[]> =>
  (await before.rows<{ key: string }>(
    'SELECT key FROM sagas WHERE waiting IS NOT NULL ORDER BY key')).map(({ key }) => key);

const storyOf = async (key: string): Promise<readonly string[]> =>
  (await before.rows<{ type: string }>(
    `SELECT type FROM events WHERE metadata ->> 'correlationId' = $1
      ORDER BY transaction_id, position`, key)).map(({ type }) => type);

const retryAll = async (): Promise<void> => {
  const clock = { now: () => NOW };
  const refs = await new WaitingSagas(before.pool).claim(100, ['checkout', 'onboarding']);
  for (const { saga, key } of refs) {
    // As after a claim that ran out: two processes retry at once.
    await Promise.all([1, 2].map(() =>
      openStore(before.pool, clock).retryReactions(saga, key)));
  }
};

describe('what the consumers of the release before had not taken', () => {
  test('waits by instance, in the order of the log, and is due at once', async () => {
    await before.commit(paying('ord_paying', 'pay_a'));
    await before.commit([authorized('ord_paying', 'pay_a', 3)]);
    await before.commit([placed('ord_parked')]);
    await before.commit([cancellation('ord_paying', 3)]);
    await taken('checkout', { 'order ord_paying': 2, 'payment pay_a': 2 });
    await saved('ord_paying', 3, payingState('pay_a'));
    await before.rows(`INSERT INTO parked_keys VALUES
      ('checkout', 'order', 'ord_parked', 1, 'OrderPlaced', 'it broke')`);
    await before.migrate();
    expect(await instances()).toEqual([
      waiting('checkout', 'ord_parked', 1, 'order ord_parked 1'),
      waiting('checkout', 'ord_paying', 4, 'payment pay_a 3', 'order ord_paying 3'),
    ]);
  });

  test('opens an instance that was done, and leaves alone what has reacted to all', async () => {
    for (const [orderId, paymentId] of [['ord_done', 'pay_a'], ['ord_late', 'pay_b']] as const) {
      await before.commit(paying(orderId, paymentId));
      await before.commit([authorized(orderId, paymentId, 3)]);
      await taken('checkout', { [`order ${orderId}`]: 2, [`payment ${paymentId}`]: 3 });
      await saved(orderId, 5, DONE);
    }
    await before.commit([cancellation('ord_late', 3)]);
    await before.commit([
      event('order', 'ord_done', 3, 'OrderAuthorized', { paymentId: 'pay_a' }),
    ]);
    await before.migrate();
    expect(await instances()).toEqual([
      settled('checkout', 'ord_done', 5, true),
      waiting('checkout', 'ord_late', 6, 'order ord_late 3'),
    ]);
    await retryAll();
    expect(await instances()).toEqual([
      settled('checkout', 'ord_done', 5, true),
      settled('checkout', 'ord_late', 7, true),
    ]);
  });

  test('waits under the merchant’s id, whatever request led to it', async () => {
    const merchant = (version: number, type: string, correlationId: string | null) =>
      event('merchant', 'mer_1', version, type, { correlationId });
    await before.commit([merchant(1, 'MerchantDrafted', 'req_1')]);
    await before.commit([merchant(2, 'DetailsRevised', 'req_2')]);
    await before.commit([merchant(3, 'RegistrationRequested', null)]);
    await before.migrate();
    expect(await instances()).toEqual([
      waiting('onboarding', 'mer_1', 1, 'merchant mer_1 1', 'merchant mer_1 2', 'merchant mer_1 3'),
    ]);
  });

  test('waits nowhere where no order is named: the checkout reacts to no such event', async () => {
    await before.commit([
      { ...placed('ord_1'), correlationId: null }, placed('ord_2'),
    ]);
    await before.migrate();
    expect(await instances()).toEqual([waiting('checkout', 'ord_2', 1, 'order ord_2 1')]);
  });

  test('is reacted to once: the orders go on', async () => {
    await before.commit([placed('ord_parked')]);
    await before.commit(paying('ord_paying', 'pay_a'));
    await before.commit([authorized('ord_paying', 'pay_a', 3)]);
    await taken('checkout', { 'order ord_paying': 2, 'payment pay_a': 2 });
    await saved('ord_paying', 3, payingState('pay_a'));
    await before.commit([event('merchant', 'mer_1', 1, 'MerchantDrafted', {
      correlationId: 'req_1', platformId: 'plat_1', reference: 'M-1', mode: 'test',
      firstTerminal: null, detailsRef: 'det_1',
    })]);
    await before.migrate();
    await retryAll();
    expect(await waitingOnes()).toEqual([]);
    expect(await storyOf('ord_parked'))
      .toEqual(['OrderPlaced', 'OrderPaymentStarted', 'IntentRequested']);
    expect((await storyOf('ord_paying')).slice(4).sort())
      .toEqual(['CaptureRequested', 'OrderAuthorized', 'PaymentAuthorized']);
    expect(await storyOf('req_1')).toEqual(['MerchantDrafted', 'RegistrationRequested']);
    expect(await before.rows('SELECT kind FROM jobs WHERE subject_id IS NOT NULL ORDER BY kind')).toEqual([
      { kind: 'capture' }, { kind: 'create_company' }, { kind: 'create_intent' },
    ]);
  });

  test('and what was skipped is a discarded reaction of its instance', async () => {
    await before.commit([
      placed('ord_1'), authorized('ord_1', 'pay_a', 1),
      event('merchant', 'mer_1', 1, 'MerchantDrafted', { correlationId: 'req_1' }),
    ]);
    await taken('checkout', { 'order ord_1': 1, 'payment pay_a': 1 });
    await taken('onboarding', { 'merchant mer_1': 1 });
    await before.rows(`INSERT INTO skipped_messages VALUES
      ('checkout', 'payment', 'pay_a', 1, 'PaymentAuthorized', 'it broke', 'by hand', 'ops:1', $1),
      ('onboarding', 'merchant', 'mer_1', 1, 'MerchantDrafted', 'it broke', 'by hand', 'ops:1', $1)
      `, AT);
    await before.migrate();
    const kept = {
      version: 1, error: 'it broke', reason: 'by hand', actor: 'ops:1', discarded_at: new Date(AT),
    };
    expect(await before.rows(`
      SELECT saga, key, stream_type, stream_id, version, stimulus, error, reason, actor,
             discarded_at FROM discarded_reactions ORDER BY saga`)).toEqual([
      {
        ...kept, saga: 'checkout', key: 'ord_1', stream_type: 'payment', stream_id: 'pay_a',
        stimulus: 'PaymentAuthorized',
      },
      {
        ...kept, saga: 'onboarding', key: 'mer_1', stream_type: 'merchant', stream_id: 'mer_1',
        stimulus: 'MerchantDrafted',
      },
    ]);
    expect(await instances()).toEqual([]);
  });
});

test('an open request on a parked stream ends: what it names is no reaction', async () => {
  await before.rows(`INSERT INTO admin_users (id, name, role, password_hash)
    VALUES ('usr_1', 'ann', 'operator', '')`);
  const request = (id: string, kind: string, status: string) => before.rows(`
    INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, reason, status,
                               requested_by, expires_at, ended_at)
    VALUES ($1::text, $2, jsonb_build_object('subjectId', $1::text), 'order', 'ord_1', 'spec', $3::text, 'usr_1',
            clock_timestamp() + interval '1 day',
            CASE WHEN $3::text IN ('done', 'rejected') THEN timestamptz '${AT}' END)`, id, kind, status);
  await request('act_1', 'release_parked', 'done');
  await request('act_2', 'release_parked', 'executing');
  await request('act_3', 'skip_parked', 'pending');
  await request('act_4', 'skip_parked', 'rejected');
  await request('act_5', 'refund', 'pending');
  await before.migrate();
  const noReaction = 'not_waiting';
  expect(await before.rows(`
    SELECT id, kind, status, outcome ->> 'code' AS code, ended_at IS NOT NULL AS "isOver"
      FROM admin_actions ORDER BY id`)).toEqual([
    { id: 'act_1', kind: 'retry_reaction', status: 'done', code: null, isOver: true },
    { id: 'act_2', kind: 'retry_reaction', status: 'failed', code: noReaction, isOver: true },
    { id: 'act_3', kind: 'discard_reaction', status: 'expired', code: noReaction, isOver: true },
    { id: 'act_4', kind: 'discard_reaction', status: 'rejected', code: null, isOver: true },
    { id: 'act_5', kind: 'refund', status: 'pending', code: null, isOver: false },
  ]);
});

describe('a process of the release before that was not stopped', () => {
  const LOCK = 42;
  const REFUSED = { code: '57P03', message: expect.stringContaining('stop its processes') };

  /** The conversion's own transaction; `meanwhile` runs when its last statement has. */
  const convert = async (meanwhile: () => Promise<void>): Promise<void> => {
    const source = await new DataSource({ type: 'postgres', url: before.url }).initialize();
    const runner: QueryRunner = source.createQueryRunner();
    await runner.startTransaction();
    await new Reactions1760000000300().up(runner);
    await meanwhile();
    await runner.commitTransaction();
    await runner.release();
    await source.destroy();
  };

  test('commits nothing between the two migrations, nor while the second runs', async () => {
    await before.commit([placed('ord_1')]);
    await before.migrate('Reactions1760000000300');
    await expect(before.commit([placed('ord_2')])).rejects.toMatchObject(REFUSED);
    await convert(async () => {
      await expect(before.commit([placed('ord_3')])).rejects.toMatchObject(REFUSED);
    });
    await expect(before.commit([placed('ord_4')])).rejects.toThrow('does not exist');
    expect(await before.rows('SELECT stream_id FROM events')).toEqual([{ stream_id: 'ord_1' }]);
    expect(await waitingOnes()).toEqual(['ord_1']);
  });

  test('that had begun a commit before is waited for: what it commits is reacted to', async () => {
    // It waits inside the function for a lock, has written nothing and has no transaction id.
    const holder = await before.pool.connect();
    await holder.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const late = before.commit([placed('ord_1')], LOCK);
    await waitFor(async () => {
      const waits = await before.rows(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
      return waits.length > 0;
    });
    const migrated = before.migrate();
    await waitFor(async () => (await before.rows(
      `SELECT FROM migrations WHERE name = 'StopOldCommits1760000000299'`)).length === 1);
    // Without the wait the conversion would be over by then.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await holder.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    holder.release();
    await late;
    await migrated;
    expect(await waitingOnes()).toEqual(['ord_1']);
  });

  test('is named when its transaction does not end in time', async () => {
    const open = await before.pool.connect();
    await open.query('BEGIN');
    const { rows: [{ pid }] } = await open.query('SELECT pg_backend_pid() AS pid');
    const source = await new DataSource({ type: 'postgres', url: before.url }).initialize();
    const runner = source.createQueryRunner();
    await runner.startTransaction();
    await expect(waitForOlderTransactions(runner, 100)).rejects.toThrow(`${pid}`);
    await open.query('COMMIT');
    await waitForOlderTransactions(runner, 100);
    await runner.rollbackTransaction();
    open.release();
    await runner.release();
    await source.destroy();
  });
});
