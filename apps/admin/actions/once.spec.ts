import type { AdminFixture, Reply } from '../admin.fixture.js';
import type { ProviderDouble } from '../provider-double.fixture.js';
import { REPAIR_KINDS, type RepairKind, type Target } from './action.js';
import { ActionBench } from './actions.fixture.js';
import { approve, ask, pathOf, type Person } from './requests.fixture.js';
import { Actions } from './actions.js';

let admin: AdminFixture;
let provider: ProviderDouble;
let bench: ActionBench;
let jane: Person;
let john: Person;

beforeAll(async () => {
  bench = await ActionBench.start();
  ({ admin, provider } = bench);
  [jane, john] = await Promise.all([admin.signedIn('operator'), admin.signedIn('operator')]);
});

afterAll(() => bench.stop());

/**
 * Requests the action and approves it if needed; when the action is done, returns the path of the
 * request.
 */
const done = async (kind: RepairKind, target: Target): Promise<string> => {
  const [one, other] = await bench.pairFor(kind);
  const asked = await ask(one, kind, target);
  const path = pathOf(asked);
  if (asked.body['status'] === 'pending') await approve(other, path);
  expect((await jane.get(path)).body).toMatchObject({ status: 'done' });
  return path;
};

/** Simulates that the process ended while it executed the action. */
const resumed = async (path: string): Promise<Reply> => {
  await admin.pool.query(
    `UPDATE admin_actions SET status = 'executing', ended_at = NULL,
            claimed_at = now() - interval '2 minutes' WHERE id = $1`,
    [path.split('/').at(-1)],
  );
  await admin.http.app.get(Actions).resume();
  return jane.get(path);
};

const count = async (sql: string, ...values: unknown[]): Promise<number> =>
  (await admin.pool.query(sql, values)).rowCount ?? 0;

const STEPS = [
  'capture',
  'cancel',
  'refund',
  'reissue_refund',
  'abandon_refund',
  'resolve_result',
  'review_mismatches',
  'refresh',
  'switch_account',
  'disable_account',
  'withdraw_account',
  'disable_endpoint',
  'enable_endpoint',
  'accept_line',
] as const;
const ROWS = REPAIR_KINDS.filter((kind) => !STEPS.some((one) => one === kind));

test.each(STEPS)(
  'the action %s is executed only once if its process ends between commit and response',
  async (kind) => {
    const path = await done(kind, await bench.targetFor(kind));
    const {
      body: { outcome },
    } = await jane.get(path);
    const events = () => count('SELECT FROM events');
    const before = await events();
    provider.intent = { ...provider.intent, status: 'canceled' };
    expect((await resumed(path)).body).toMatchObject({ status: 'done', outcome });
    expect(await events()).toBe(before);
  },
);

test.each(ROWS)(
  'the action %s makes its change and is marked done in one transaction, and is not executed later if this fails',
  async (kind) => {
    const target = await bench.targetFor(kind);
    await admin.pool.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN RAISE EXCEPTION SQLSTATE ''57014''; END';
     CREATE TRIGGER fails BEFORE UPDATE ON admin_actions FOR EACH ROW
       WHEN (NEW.status = 'done') EXECUTE FUNCTION fail()`,
    );
    const changes = () =>
      Promise.all(
        [
          'sagas',
          'discarded_reactions',
          'reconciliation_exceptions',
          'webhooks_received',
          'projection_rebuilds',
          'history_watermarks',
          'jobs',
        ].map(async (table) => (await admin.pool.query(`SELECT * FROM ${table}`)).rows),
      );
    const before = await changes();
    const asked = await ask(jane, kind, target);
    const broken = asked.body['status'] === 'pending' ? await approve(john, pathOf(asked)) : asked;
    expect(broken).toMatchObject({ status: 503 });
    expect(await changes()).toEqual(before);
    await admin.pool.query('DROP TRIGGER fails ON admin_actions; DROP FUNCTION fail');

    const {
      rows: [left],
    } = await admin.pool.query<{ id: string }>(
      `SELECT id FROM admin_actions WHERE status = 'executing'`,
    );
    expect((await resumed(`/v1/actions/${left?.id}`)).body).toMatchObject({
      status: 'failed',
      outcome: { code: 'interrupted' },
    });
    expect(await changes()).toEqual(before);
  },
);

test('the unknown result of a provider request can be resolved even if the request is retried between the approval and the execution of the resolution', async () => {
  const target = await bench.targetFor('resolve_result');
  const asked = await ask(jane, 'resolve_result', target);
  await admin.pool.query(
    `CREATE FUNCTION release() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN UPDATE jobs SET state = 'waiting' WHERE state = 'stuck'; RETURN NEW; END $$;
     CREATE TRIGGER releases BEFORE INSERT ON idempotency_keys FOR EACH ROW
       EXECUTE FUNCTION release()`,
  );
  expect((await approve(john, pathOf(asked))).body).toMatchObject({ status: 'done' });
  await admin.pool.query('DROP TRIGGER releases ON idempotency_keys; DROP FUNCTION release');
});

const takenForLost = async (path: string): Promise<void> => {
  await admin.pool.query(
    `UPDATE admin_actions SET claimed_at = now() - interval '2 minutes' WHERE id = $1`,
    [path.split('/').at(-1)],
  );
  await admin.http.app.get(Actions).resume();
};

const endsOf = async (path: string): Promise<readonly unknown[]> => {
  const { rows } = await admin.pool.query<{ action: string }>(
    `SELECT action FROM audit WHERE detail->>'actionId' = $1
        AND action IN ('action.done', 'action.failed')`,
    [path.split('/').at(-1)],
  );
  return rows.map(({ action }) => action);
};

test('an action whose process is slow is not executed after another process has marked it failed', async () => {
  const path = pathOf(await ask(jane, 'resolve_result', await bench.targetFor('resolve_result')));
  const {
    body: { digest },
  } = await john.get(`${path}/preview`);
  let release = (): void => undefined;
  const gate = new Promise<null>((resolve) => {
    release = () => resolve(null);
  });
  const reached = new Promise<void>((resolve) => {
    let reads = 0;
    // The first read of the provider belongs to the preview that the approval computes. All later
    // reads belong to the execution of the action.
    provider.before = (url) => {
      if (/payment_intents\/[^/]+$/.test(url)) reads += 1;
      if (reads < 2) return Promise.resolve(null);
      resolve();
      return gate;
    };
  });
  const approved = john.post(`${path}/approve`, { seen: digest });
  await reached;
  const events = await count('SELECT FROM events');
  await takenForLost(path);
  expect((await jane.get(path)).body).toMatchObject({ status: 'failed' });
  release();
  await approved;
  provider.before = () => Promise.resolve(null);
  expect((await jane.get(path)).body).toMatchObject({ status: 'failed' });
  expect(await endsOf(path)).toEqual(['action.failed']);
  expect(await count('SELECT FROM events')).toBe(events);
});

describe('an approved action that was interrupted', () => {
  const cutOff = async (path: string, ...also: string[]): Promise<void> => {
    await admin.pool.query(
      `UPDATE admin_actions SET status = 'executing' ${also.join('')} WHERE id = $1`,
      [path.split('/').at(-1)],
    );
    await takenForLost(path);
  };

  test('is not executed later, because its effect may have changed', async () => {
    const path = pathOf(await ask(jane, 'refund', await bench.targetFor('refund')));
    const events = await count('SELECT FROM events');
    await cutOff(path, `, decided_by = '${john.userId}', decided_at = now()`);
    expect((await jane.get(path)).body).toMatchObject({
      status: 'failed',
      outcome: { code: 'interrupted' },
    });
    expect(await count('SELECT FROM events')).toBe(events);
    expect(await endsOf(path)).toEqual(['action.failed']);
  });

  test('is completed if its events were committed before the interruption: a request whose result it resolved is retried', async () => {
    const target = await bench.targetFor('resolve_result');
    const path = await done('resolve_result', target);
    const { outcome } = (await jane.get(path)).body;
    const events = await count('SELECT FROM events');
    const isStuck = () =>
      count(`SELECT FROM jobs WHERE key = $1 AND state = 'stuck'`, target.subjectId);
    await admin.pool.query(`UPDATE jobs SET state = 'stuck' WHERE key = $1`, [target.subjectId]);
    await cutOff(path, ', ended_at = NULL, outcome = NULL');
    expect((await jane.get(path)).body).toMatchObject({ status: 'done', outcome });
    expect(await isStuck()).toBe(0);
    expect(await count('SELECT FROM events')).toBe(events);
  });
});

test('a discard applies only to the failed reaction that the operator saw, not to a later one of the same saga', async () => {
  const target = await bench.targetFor('discard_reaction');
  await done('discard_reaction', target);
  const saga = async () =>
    (
      await admin.pool.query(
        `SELECT waiting, retry_at, failing_since FROM sagas WHERE saga = 'checkout' AND key = $1`,
        [target.subjectId],
      )
    ).rows;
  expect(await saga()).toEqual([{ waiting: null, retry_at: null, failing_since: null }]);
  await admin.pool.query(
    `UPDATE sagas SET retry_at = 'infinity', failing_since = now(), waiting = jsonb_build_object(
            'attempts', 8, 'error', 'it broke again', 'stimuli', jsonb_build_array(
              jsonb_build_object('from', 'deadline', 'kind', 'checkout.expiry',
                                 'dueAt', '2030-01-01T00:00:00.000Z')))
      WHERE saga = 'checkout' AND key = $1`,
    [target.subjectId],
  );
  expect(await ask(john, 'discard_reaction', target)).toMatchObject({
    status: 409,
    body: { code: 'already_reacted' },
  });
  const discarded = () => count('SELECT FROM discarded_reactions WHERE key = $1', target.subjectId);
  expect(await discarded()).toBe(1);
  await done('discard_reaction', {
    ...target,
    stimulus: 'checkout.expiry@2030-01-01T00:00:00.000Z',
  });
  expect(await discarded()).toBe(2);
});

test.each([
  ['stimulus', 'stimulus_missing'],
  ['saga', 'workflow_missing'],
] as const)('a discard of a failed reaction without the %s is refused', async (name, code) => {
  const { [name]: _, ...target } = await bench.targetFor('discard_reaction');
  expect(await ask(john, 'discard_reaction', target)).toMatchObject({
    status: 422,
    body: { code },
  });
});

test('an action cannot be requested while an identical request is open', async () => {
  const target = await bench.targetFor('refund');
  const first = await ask(jane, 'refund', target);
  expect(await ask(john, 'refund', target)).toMatchObject({
    status: 409,
    body: { code: 'already_requested' },
  });
  const twice = await Promise.all(
    [1, 2].map(() => ask(jane, 'refund', { ...target, amountMinor: 501 })),
  );
  expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 409]);

  await john.post(`${pathOf(first)}/reject`, { reason: 'asked for twice' });
  const second = await ask(jane, 'refund', target);
  expect(second.status).toBe(201);
  await admin.pool.query('UPDATE admin_actions SET expires_at = now() WHERE id = $1', [
    second.body['id'],
  ]);
  expect((await ask(jane, 'refund', target)).status).toBe(201);
  expect((await jane.get(pathOf(second))).body).toMatchObject({ status: 'expired' });
});

test('an action with values that the database cannot store fails', async () => {
  const target = await bench.targetFor('poll_history');
  await admin.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN RAISE EXCEPTION SQLSTATE ''22008''; END';
     CREATE TRIGGER refuses BEFORE UPDATE ON history_watermarks FOR EACH ROW
       EXECUTE FUNCTION refuse()`,
  );
  const asked = await ask(jane, 'poll_history', target);
  await admin.pool.query('DROP TRIGGER refuses ON history_watermarks; DROP FUNCTION refuse');
  expect(asked.body).toMatchObject({ status: 'failed', outcome: { code: 'bug' } });
});
