import { randomUUID } from 'node:crypto';
import { WorkerBench } from '../apps/worker/worker.fixture.js';
import { HistoryWatermarks } from '../apps/worker/merchants/history-watermarks.js';
import { WaitingSagas } from '#log';
import { JobTable } from '#jobs';
import { parseInstant, Rejection } from '#kernel';
import { merchantAggregate, type MerchantCommand } from '#onboarding';
import { ResolveResult } from '#operations';
import { documentedCommands } from './documents.fixture.js';
import { runOps } from './ops-commands.js';

let bench: WorkerBench;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9', { sagas: true, app: 'ops' });
});
beforeEach(() => bench.admin.query('TRUNCATE jobs, sagas, discarded_reactions'));
afterAll(() => bench.close());

const resolveResult = () => {
  const { pool, store, clock, clientOf } = bench;
  return Promise.resolve(new ResolveResult(pool, store, clock, clientOf));
};

const origin = { actor: 'ops:ann', requestId: 'ops' };

const ops = (...args: string[]) =>
  runOps({ pool: bench.pool, origin, resolveResult, business }, args);

const business = () => Promise.resolve({ store: bench.store, clock: bench.clock });

/** A business time far from wall time, so that the specs fail if the code uses wall time. */
const LONG_AGO = parseInstant('2020-02-29T12:00:00Z');

const stuckJob = async (): Promise<string> => {
  const jobId = randomUUID();
  await bench.admin.query(
    `INSERT INTO jobs (key, kind, subject_id, account_id, state, attempts, note, due_at, updated_at)
     VALUES ($1, 'capture', 'pay_1', 'acc_1', 'stuck', 22, '422 no such card', 'epoch',
             now() - interval '1 hour')`,
    [jobId],
  );
  return jobId;
};

/** Inserts a checkout saga that is blocked, because its reaction to the order's expiry failed. */
const blockedCheckout = (orderId: string) =>
  bench.admin.query(
    `INSERT INTO sagas (saga, key, version, state, done, waiting, retry_at, failing_since)
     VALUES ('checkout', $1, 1, '{"status": "none"}', false, jsonb_build_object('attempts', 8,
             'error', 'it broke', 'stimuli', jsonb_build_array(jsonb_build_object(
               'from', 'deadline', 'kind', 'checkout.expiry',
               'dueAt', '2030-01-01T00:00:00.000Z'))),
             'infinity', now())`,
    [orderId],
  );

const EXPIRY = 'checkout.expiry@2030-01-01T00:00:00.000Z';

describe('failed provider requests', () => {
  test('are listed with the fields that an operator needs to decide about a retry', async () => {
    expect(await ops('requests')).toBe('no provider request has failed');
    const jobId = await stuckJob();
    expect(JSON.parse(await ops('requests'))).toMatchObject({
      jobId,
      kind: 'capture',
      subjectId: 'pay_1',
      note: '422 no such card',
    });
    expect(JSON.parse(await ops('requests'))).toHaveProperty('ageSeconds', 3_600);
  });

  test('are retried immediately, with the full number of attempts, after a read of the provider', async () => {
    const jobId = await stuckJob();
    await ops('requests', 'retry', jobId, '--reason', 'the account is open again');
    expect(await bench.rows('SELECT note FROM jobs')).toEqual([
      { note: 'released: the account is open again; was: 422 no such card' },
    ]);
    const [job] = await new JobTable(bench.admin).claim({
      now: LONG_AGO,
      kinds: [{ kind: 'capture', lane: 'calls' }],
      rooms: [{ lane: 'calls', room: 1 }],
      load: [],
    });
    expect(job).toMatchObject({ key: jobId, found: 'waiting', attempts: 1 });
  });

  test('cannot be retried without a reason, while a retry is in progress, or by an unknown id', async () => {
    const jobId = await stuckJob();
    await expect(ops('requests', 'retry', jobId)).rejects.toThrow(/^--reason is missing/);
    await ops('requests', 'retry', jobId, '--reason', 'r');
    for (const id of [jobId, randomUUID(), 'nonsense']) {
      await expect(ops('requests', 'retry', id, '--reason', 'r')).rejects.toThrow(
        `no failed provider request has the id ${id}`,
      );
    }
  });
});

describe('blocked workflows', () => {
  test('can be listed and retried', async () => {
    expect(await ops('workflows')).toBe('no workflow is blocked');
    await blockedCheckout('ord_1');
    const listed = async (): Promise<unknown> => JSON.parse(await ops('workflows'));
    expect(await listed()).toMatchObject({
      saga: 'checkout',
      key: 'ord_1',
      error: 'it broke',
      attempts: 8,
      stimulus: EXPIRY,
      retryAt: null,
      waiting: 1,
    });
    expect(await ops('workflows', 'retry', 'checkout', 'ord_1', '--reason', 'fixed')).toBe(
      'the workflow checkout of ord_1 will be retried',
    );
    expect(await listed()).toMatchObject({ key: 'ord_1', retryAt: expect.any(String) });
    expect(await new WaitingSagas(bench.admin).claim(9, ['checkout'])).toEqual([
      { saga: 'checkout', key: 'ord_1' },
    ]);
  });

  test('continue after an operator has discarded the failed event, and the reason and the operator are recorded', async () => {
    await blockedCheckout('ord_2');
    const discard = (...rest: string[]) =>
      ops('workflows', 'discard', 'checkout', 'ord_2', ...rest);
    await expect(discard(EXPIRY)).rejects.toThrow('--reason');
    await expect(discard('--reason', 'r')).rejects.toThrow('the event id is missing');
    await expect(
      discard('checkout.capture@2030-01-01T00:00:00.000Z', '--reason', 'r'),
    ).rejects.toMatchObject({ code: 'already_reacted' });
    await discard(EXPIRY, '--reason', 'the payer was informed by letter');
    expect(
      await bench.rows('SELECT key, stimulus, error, reason, actor FROM discarded_reactions'),
    ).toEqual([
      {
        key: 'ord_2',
        stimulus: 'checkout.expiry',
        error: 'it broke',
        reason: 'the payer was informed by letter',
        actor: 'ops:ann',
      },
    ]);
    expect(await ops('workflows')).toBe('no workflow is blocked');
  });

  test('cannot be retried by a command whose name or key is missing or matches no blocked workflow', async () => {
    await expect(
      ops('workflows', 'retry', 'checkout', 'ord_9', '--reason', 'r'),
    ).rejects.toMatchObject({ code: 'not_blocked' });
    await expect(ops('workflows', 'retry', 'checkout')).rejects.toThrow('the key is missing');
    await expect(ops('workflows', 'retry')).rejects.toThrow('the workflow is missing');
  });
});

describe('merchants', () => {
  const merchantCalls = [
    ['m_none', 'create_company', 'not_unknown'],
    ['m_none', 'fetch_keys', 'usage'],
  ] as const;

  test.each(merchantCalls)(
    '`merchants confirm-absent %s %s` is rejected with the code %s',
    async (id, call, code) => {
      await expect(
        ops('merchants', 'confirm-absent', id, call, '--reason', 'r'),
      ).rejects.toMatchObject({
        code,
      });
    },
  );

  test('after an operator has confirmed that no company was created, the registration can be sent again', async () => {
    const { store, clock } = bench;
    const at = clock.now();
    const run = (command: MerchantCommand) =>
      store.execute(merchantAggregate, 'mer_1', command, bench.metadata('mer_1'));
    await run({
      type: 'DraftMerchant',
      platformId: 'plat_1',
      reference: 'r',
      mode: 'test',
      firstTerminal: null,
      detailsRef: 'det_1',
      at,
    });
    await run({ type: 'NoteUnknownOutcome', call: 'create_company', at });
    await bench.admin.query(`UPDATE jobs SET state = 'running' WHERE subject_id IS NOT NULL`);
    const absent = () =>
      ops('merchants', 'confirm-absent', 'mer_1', 'create_company', '--reason', 'confirmed');
    await expect(absent()).rejects.toMatchObject({ code: 'search_in_progress' });
    await bench.admin.query(`UPDATE jobs SET state = 'stuck' WHERE subject_id IS NOT NULL`);
    expect(await absent()).toBe('the request create_company of mer_1 had no effect');
    expect(
      await bench.rows(
        'SELECT state, note FROM jobs WHERE subject_id IS NOT NULL ORDER BY ordinal',
      ),
    ).toEqual([
      { state: 'done', note: 'absent: confirmed' },
      { state: 'ready', note: '' },
    ]);
    const { state } = await store.load(merchantAggregate, 'mer_1');
    expect(state).toMatchObject({ status: 'requested', unknown: [] });
  });

  test('`merchants` lists the merchants that need attention', async () => {
    expect(await ops('merchants')).toBe('no merchant needs attention');
    await bench.admin.query(
      `INSERT INTO merchant_attention VALUES
         ('mer_1', 'available', NULL, '{}', NULL, 9),
         ('mer_2', 'requested', NULL, '{create_company}', '2030-03-01T12:00:00Z', 3)`,
    );
    expect(JSON.parse(await ops('merchants'))).toEqual({
      merchantId: 'mer_2',
      status: 'requested',
      statusOverdueSince: null,
      unknownResults: ['create_company'],
      unknownSince: '2030-03-01T12:00:00.000Z',
      mismatches: [],
      mismatchedSince: null,
    });
  });

  test('an operator can review the status mismatches of a merchant, but only if there are any', async () => {
    const at = bench.clock.now();
    const run = (command: MerchantCommand) =>
      bench.store.execute(merchantAggregate, 'mer_3', command, bench.metadata('mer_3'));
    await run({
      type: 'DraftMerchant',
      platformId: 'plat_1',
      reference: 'r3',
      mode: 'test',
      firstTerminal: null,
      detailsRef: 'det_3',
      at,
    });
    for (const companyId of ['comp_3', 'comp_4']) {
      await run({
        type: 'ObserveCompanyStatus',
        at,
        observation: {
          companyId,
          companyAccountId: null,
          status: 'incomplete',
          terminatedByProvider: null,
          seen: { source: 'read', readAt: at },
        },
      });
    }
    const reviewed = (id: string) =>
      ops('merchants', 'review-mismatches', id, '--reason', 'it was a typo');
    expect(await reviewed('mer_3')).toBe('the status mismatches of mer_3 are reviewed');
    await expect(reviewed('mer_3')).rejects.toMatchObject({ code: 'no_mismatch' });
    await expect(reviewed('m_none')).rejects.toMatchObject({ code: 'merchant_not_found' });
  });

  test('an operator can start a poll of the status history immediately', async () => {
    expect(await ops('status-history')).toBe('no status history has been polled yet');
    const poll = () => ops('status-history', 'poll', 'test', '--reason', 'a file has moved on');
    await expect(poll()).rejects.toMatchObject({ code: 'not_read' });
    await expect(ops('status-history', 'poll', 'both')).rejects.toMatchObject({ code: 'usage' });
    await new HistoryWatermarks(bench.admin).fence('test', '1', bench.clock.now());
    bench.clock.advance(1_000);
    expect(await poll()).toBe('the status history in test mode will be polled immediately');
    expect(JSON.parse(await ops('status-history'))).toMatchObject({
      mode: 'test',
      nextRoundAt: bench.clock.now(),
      failures: 0,
    });
  });
});

describe('a change by `npm run ops`', () => {
  const CHANGES = [
    ['requests', 'retry', randomUUID()],
    ['requests', 'resolve', randomUUID(), '--apply'],
    ['workflows', 'retry', 'checkout', 'ord_1'],
    ['workflows', 'discard', 'checkout', 'ord_1', EXPIRY],
    ['status-history', 'poll', 'live'],
    ['merchants', 'confirm-absent', 'mer_1', 'create_company'],
    ['merchants', 'review-mismatches', 'mer_1'],
    ['users', 'create', 'zoe', '--role', 'viewer'],
    ['users', 'reset-password', 'zoe'],
    ['users', 'reset-second-factor', 'zoe'],
    ['users', 'unlock-sign-ins'],
    ['console', 'reset-after-restore'],
  ];

  test.each(CHANGES)('requires a reason without personal data: %s %s', async (...args) => {
    await expect(ops(...args)).rejects.toThrow(/^--reason is missing/);
    for (const reason of ['DE89 3704 0044 0532 0130 00 paid', 'mail a@b.co', 'key stest_abcd12']) {
      await expect(ops(...args, '--reason', reason)).rejects.toThrow(/^--reason seems to contain/);
    }
  });

  test('is audited with its reason, unless the change is rejected', async () => {
    const audited = () =>
      bench.rows(
        `SELECT actor, action, subject_id AS id, reason FROM audit WHERE action LIKE 'ops.%'
        ORDER BY audit.id DESC LIMIT 1`,
      );
    const jobId = await stuckJob();
    await ops('requests', 'retry', jobId, '--reason', 'the key works');
    const released = [
      { actor: 'ops:ann', action: 'ops.calls_release', id: jobId, reason: 'the key works' },
    ];
    expect(await audited()).toEqual(released);
    await expect(ops('requests', 'retry', jobId, '--reason', 'again')).rejects.toThrow(
      'no failed provider request',
    );
    expect(await audited()).toEqual(released);
    await blockedCheckout('ord_3');
    await ops('workflows', 'discard', 'checkout', 'ord_3', EXPIRY, '--reason', 'by hand');
    expect(await audited()).toMatchObject([{ action: 'ops.reactions_discard', id: 'ord_3' }]);
  });
});

test('the audit contains the request and the failure of a rejected `requests resolve`, and nothing of a rejected `status-history poll`', async () => {
  const audited = (id: string) =>
    bench.rows(`SELECT action, reason, detail FROM audit WHERE subject_id = $1 ORDER BY id`, id);
  const jobId = randomUUID();
  await expect(
    ops('requests', 'resolve', jobId, '--apply', '--not-ours', '--reason', 'theirs'),
  ).rejects.toMatchObject({ code: 'not_stuck' });
  expect(await audited(jobId)).toEqual([
    { action: 'ops.calls_settle_requested', reason: 'theirs', detail: { refundIs: 'others' } },
    {
      action: 'ops.calls_settle_failed',
      reason: 'theirs',
      detail: { refundIs: 'others', code: 'not_stuck' },
    },
  ]);
  await expect(ops('status-history', 'poll', 'live', '--reason', 'now')).rejects.toThrow(
    'no worker',
  );
  expect(await audited('live')).toEqual([]);
});

test('an unknown command is rejected with the usage', async () => {
  for (const args of [[], ['call'], ['workflows', 'burn']]) {
    await expect(ops(...args)).rejects.toMatchObject({ code: 'usage' });
  }
});

describe('users of the console', () => {
  test('the first admin gets a one-time password, which is shown once', async () => {
    expect(await ops('users')).toBe('there is no user yet: create two admins');
    const printed = await ops('users', 'create', 'ann', '--role', 'admin', '--reason', 'set up');
    expect(printed).toMatch(/^ann \(admin\), one-time password: [A-Za-z0-9]{20}\n/);
    const listed = JSON.parse(await ops('users')) as object;
    expect(listed).toMatchObject({ name: 'ann', role: 'admin', mustChangePassword: true });
    const again = await ops('users', 'reset-password', 'ann', '--reason', 'forgot it');
    expect(again).not.toBe(printed);
    const { rows } = await bench.admin.query(
      `SELECT actor, action, reason FROM audit WHERE action LIKE 'user.%' ORDER BY id`,
    );
    expect(rows).toEqual([
      { actor: 'ops:ann', action: 'user.created', reason: 'set up' },
      { actor: 'ops:ann', action: 'user.password_reset', reason: 'forgot it' },
    ]);
  });

  test('a user who has lost the second factor can set up a new one after `reset-second-factor`', async () => {
    const reset = () => ops('users', 'reset-second-factor', 'ann', '--reason', 'lost the phone');
    await expect(reset()).rejects.toThrow('the user has no second factor');
    await bench.admin.query(
      `INSERT INTO admin_second_factors (user_id, sealed, set_up_at)
       SELECT id, 'k1.sealed', now() FROM admin_users WHERE name = 'ann'`,
    );
    await bench.admin.query(
      `INSERT INTO admin_recovery_codes SELECT id, '\\x00' FROM admin_users WHERE name = 'ann'`,
    );
    await reset();
    expect(await bench.rows('SELECT FROM admin_second_factors')).toEqual([]);
    expect(await bench.rows('SELECT FROM admin_recovery_codes')).toEqual([]);
    expect(
      await bench.rows(`SELECT actor, reason FROM audit WHERE action = 'user.second_factor_reset'`),
    ).toEqual([{ actor: 'ops:ann', reason: 'lost the phone' }]);
  });

  test('users blocked after too many failed sign-ins can sign in again after `unlock-sign-ins`', async () => {
    await bench.admin.query(
      `INSERT INTO admin_sign_in_attempts VALUES ('\\x00', 100, now() + interval '1 hour')`,
    );
    await ops('users', 'unlock-sign-ins', '--reason', 'it was a script of ours');
    expect(await bench.rows('SELECT FROM admin_sign_in_attempts')).toEqual([]);
    expect(
      await bench.rows(`SELECT actor, reason FROM audit WHERE action = 'ops.admin_unlock'`),
    ).toEqual([{ actor: 'ops:ann', reason: 'it was a script of ours' }]);
  });

  test.each([
    [['create', 'bob'], '--role is missing'],
    [
      ['create', 'bob', '--role', 'god', '--reason', 'r'],
      '--role must be one of viewer, operator, admin',
    ],
    [
      ['create', 'ann', '--role', 'viewer', '--reason', 'r'],
      'a user with this name already exists',
    ],
    [['reset-password', 'absent', '--reason', 'r'], 'there is no user absent'],
  ])('the command `users` with %j is rejected: %s', async (args, why) => {
    await expect(ops('users', ...args)).rejects.toThrow(why);
  });
});

describe('the command `console reset-after-restore`', () => {
  const OPEN = [
    ['act_pending', 'pending', 1],
    ['act_begun', 'executing', 2],
    ['act_committed', 'executing', 3],
  ] as const;

  beforeEach(async () => {
    const { admin: pool } = bench;
    await pool.query('TRUNCATE admin_actions');
    await pool.query(
      `INSERT INTO admin_users (id, name, role, password_hash)
       VALUES ('usr_r', 'rita', 'operator', 'x') ON CONFLICT DO NOTHING`,
    );
    await pool.query(
      `INSERT INTO admin_sessions (token_hash, user_id, expires_at)
       VALUES ('\\x00', 'usr_r', now() + interval '1 hour')`,
    );
    await pool.query(
      `INSERT INTO admin_identities (user_id, email, registered_by)
       VALUES ('usr_r', 'rita@company.example', 'usr_a') ON CONFLICT DO NOTHING`,
    );
    for (const [id, status, amountMinor] of OPEN) {
      const target = { subjectId: 'pay_1', amountMinor };
      await pool.query(
        `INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, reason, status,
                requested_by, expires_at, claimed_at)
         VALUES ($1, 'refund', $2, 'payment', 'pay_1', 'asked', $3, 'usr_r',
                 now() + interval '1 day', now())`,
        [id, target, status],
      );
    }
    await pool.query(
      `INSERT INTO idempotency_keys (platform_id, key, fingerprint, status, body)
       VALUES ('console', 'act_committed', '-', 200, '{"events": ["RefundRequested"]}')
       ON CONFLICT DO NOTHING`,
    );
  });

  test('marks each open action request of the restored database as failed, and ends all sessions', async () => {
    await bench.admin.query('TRUNCATE log_restores');
    expect(await ops('console', 'reset-after-restore', '--reason', 'lost the disk')).toBe(
      'ended 3 open action requests and 1 sessions, and deleted 1 email addresses that awaited ' +
        'a first sign-in',
    );
    const failed = { status: 'failed', outcome: expect.objectContaining({ code: 'restored' }) };
    expect(await bench.rows('SELECT id, status, outcome FROM admin_actions ORDER BY id')).toEqual([
      { id: 'act_begun', ...failed },
      { id: 'act_committed', status: 'done', outcome: { events: ['RefundRequested'] } },
      { id: 'act_pending', ...failed },
    ]);
    expect(await bench.rows('SELECT FROM admin_sessions')).toEqual([]);
    expect(await bench.rows('SELECT FROM admin_identities')).toEqual([]);
    expect(await bench.rows('SELECT FROM log_restores')).toHaveLength(1);
  });

  test('audits the end of each action request', async () => {
    await ops('console', 'reset-after-restore', '--reason', 'lost the disk');
    expect(
      await bench.rows(
        `SELECT action, detail->>'actionId' AS id FROM audit
        WHERE actor = 'ops:ann' AND reason = 'lost the disk' ORDER BY audit.id DESC LIMIT 5`,
      ),
    ).toEqual(
      expect.arrayContaining([
        { action: 'action.failed', id: 'act_pending' },
        { action: 'action.failed', id: 'act_begun' },
        { action: 'action.done', id: 'act_committed' },
        { action: 'user.identity_removed', id: null },
        { action: 'ops.console_restored', id: null },
      ]),
    );
  });
});

test('every `npm run ops` command in the documentation is accepted', async () => {
  const commands = documentedCommands().filter(
    ({ script, args }) => script === 'ops' && args.length > 0,
  );
  expect(commands.length).toBeGreaterThan(15);
  const wrong: string[] = [];
  for (const { document, args } of commands) {
    const failed = await ops(...args).then(
      () => null,
      (error: unknown) => error,
    );
    const isUsage = failed instanceof Rejection && failed.code === 'usage';
    if (isUsage) wrong.push(`${document}: ${args.join(' ')}: ${failed.message.split('\n', 1)[0]}`);
  }
  expect(wrong).toEqual([]);
});
