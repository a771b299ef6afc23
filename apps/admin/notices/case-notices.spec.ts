import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '#platform';
import { QUEUE_NOTICES } from '#operations';
import { gate } from '#testing';
import { ActionBench } from '../actions/actions.fixture.js';
import { ask } from '../actions/requests.fixture.js';
import { startAdmin } from '../admin-app.js';
import type { AdminFixture } from '../admin.fixture.js';
import { startAdminFixture } from '../admin.fixture.js';
import { outage, projectPayments } from '../cases/cases.fixture.js';
import { ProviderDouble } from '../provider-double.fixture.js';
import { CaseNotices } from './case-notices.js';
import { noticesFromEnv } from '../notice-config.js';
import { noticeText } from './notice-text.js';
import { NoticeReceivers } from './receivers.fixture.js';

let receivers: NoticeReceivers;
let bench: ActionBench;
let admin: AdminFixture;

beforeAll(async () => {
  receivers = await NoticeReceivers.start();
  const provider = await ProviderDouble.start();
  const notices = receivers.config;
  bench = await ActionBench.open(
    await startAdminFixture({ providerUrl: provider.url, notices }),
    provider,
  );
  ({ admin } = bench);
});
afterAll(async () => {
  await bench.stop();
  await receivers.stop();
});

const round = () => admin.http.app.get(CaseNotices).round();
/** A further process on the same database. */
const another = () => {
  const logger = createLogger('admin', { level: 'silent' });
  return startAdmin(admin.config, { logger, ownsProcess: false });
};
const query = (text: string) => admin.pool.query(text);

/** Ends all cases of failed requests, and deletes the records of sent notices. */
const startAnew = async (): Promise<void> => {
  await query('DELETE FROM jobs');
  await query('DELETE FROM payment_list');
  await query('DELETE FROM case_notices');
  await query('DELETE FROM notice_messages');
  receivers.posts.length = 0;
  receivers.mails.length = 0;
  receivers.status = 200;
  receivers.acceptsMail = true;
};
beforeEach(startAnew);

/** The text of the notice about a failed capture with this job. */
const textOf = (what: string, amount: string, jobId: string | undefined): string =>
  [
    `New case: ${what} (test)`,
    `Money at risk: ${amount}`,
    'Waiting for: an operator',
    `Open the case: http://console.test/cases/failed_request%3A${jobId}`,
  ].join('\n');

describe('a new case', () => {
  test('causes one notice by webhook and one by e-mail, with the mode test, the money at risk, who must act, and a link', async () => {
    const [jobId] = await outage(bench, 1);
    await round();
    await round();

    const text = textOf('failed provider request', '€12.50', jobId);
    expect(receivers.texts()).toEqual([text]);
    expect(receivers.mails).toHaveLength(1);
    expect(receivers.mails[0]?.to).toEqual(['desk@shop.test', 'night@shop.test']);
    expect(receivers.mails[0]?.source).toContain('Subject: New case: failed provider request');
    expect(receivers.mails[0]?.source).toContain('Waiting for: an operator');
  });

  test('causes one notice even if two processes search at the same time, and none after a restart', async () => {
    await outage(bench, 1);
    const other = await another();
    try {
      await Promise.all([round(), other.app.get(CaseNotices).round()]);
    } finally {
      await other.close();
    }
    const restarted = await another();
    try {
      await restarted.app.get(CaseNotices).round();
    } finally {
      await restarted.close();
    }
    expect([receivers.posts.length, receivers.mails.length]).toEqual([1, 1]);
  });

  test('140 cases of one cause are announced by one message with their number and sum, and further cases within the hour by none', async () => {
    await outage(bench, 140);
    await round();
    const [text, ...others] = receivers.texts();
    expect(text).toContain('New case: 140 failed provider requests, one cause');
    expect(text).toContain('Money at risk: €1,750.00');
    expect(others).toEqual([]);

    await outage(bench, 3);
    await round();
    expect(receivers.texts()).toEqual([]);

    await query(`UPDATE case_notices SET at = at - interval '61 minutes'`);
    await outage(bench, 2);
    await round();
    expect(receivers.texts()).toMatchObject([expect.stringContaining('2 failed provider')]);
  });

  test('a new case of a known incident causes a further notice only each time the incident has ten times as many cases', async () => {
    await outage(bench, 1);
    await round();
    expect(receivers.texts()).toHaveLength(1);
    await outage(bench, 8);
    await round();
    expect(receivers.texts()).toEqual([]);
    await outage(bench, 2);
    await round();
    const [text = '', ...others] = receivers.texts();
    expect(text).toContain('Growing incident: 11 failed provider requests, one cause');
    // The 11 requests concern 8 payments of €12.50.
    expect(text).toContain('Money at risk: €100.00');
    expect(others).toEqual([]);
    await outage(bench, 3);
    await round();
    expect(receivers.texts()).toEqual([]);
  });

  test('causes another notice if it ends and begins again more than an hour later, but not if it begins again sooner', async () => {
    const [jobId = ''] = await outage(bench, 1);
    await round();
    const endsAndBegins = async (between: () => Promise<unknown>) => {
      await query(`UPDATE jobs SET state = 'ready' WHERE key = '${jobId}'`);
      await round();
      await between();
      await round();
      await query(`UPDATE jobs SET state = 'stuck' WHERE key = '${jobId}'`);
      await round();
    };
    await endsAndBegins(async () => {});
    expect(receivers.texts()).toHaveLength(1);
    await endsAndBegins(() =>
      query(`UPDATE case_notices SET closed_at = closed_at - interval '61 minutes'`),
    );
    expect(receivers.texts()).toHaveLength(1);
  });

  test('causes another notice, once, each time its request fails again after a retry', async () => {
    const [jobId] = await outage(bench, 1);
    const jane = await admin.signedIn('operator');
    await round();
    expect(receivers.texts()).toHaveLength(1);
    for (let time = 1; time <= 2; time += 1) {
      await ask(jane, 'retry_request', { subjectId: jobId ?? '' });
      await round();
      expect(receivers.texts()).toEqual([]);
      await query(`UPDATE jobs SET state = 'stuck', updated_at = clock_timestamp()`);
      await round();
      await round();
      expect(receivers.texts()).toEqual([textOf('failed provider request', '€12.50', jobId)]);
    }
    await query(`UPDATE jobs SET updated_at = updated_at - interval '2 hours'`);
    await query(`UPDATE case_notices SET at = at - interval '2 hours',
                                         closed_at = closed_at - interval '2 hours'`);
    await round();
    await round();
    expect(receivers.texts()).toEqual([]);
  });

  test('requests of one cause that are retried and fail again cause notices like new cases, after each retry', async () => {
    const jobs = await outage(bench, 12);
    await round();
    expect(receivers.texts()).toHaveLength(1);
    const becomes = (state: 'waiting' | 'stuck', keys: readonly string[]) =>
      admin.pool.query(
        `UPDATE jobs SET state = $1, updated_at = clock_timestamp(),
                         progress = jsonb_build_object('failedAt', updated_at)
          WHERE key = ANY ($2)`,
        [state, keys],
      );
    for (let time = 1; time <= 2; time += 1) {
      await becomes('waiting', jobs);
      await round();
      expect(receivers.texts()).toEqual([]);
      await becomes('stuck', jobs.slice(0, 4));
      await round();
      expect(receivers.texts()).toMatchObject([
        expect.stringContaining('New case: 4 failed provider requests, one cause'),
      ]);
      await becomes('stuck', jobs.slice(4, 8));
      await round();
      expect(receivers.texts()).toEqual([]);
      await becomes('stuck', jobs.slice(8));
      await round();
      expect(receivers.texts()).toMatchObject([
        expect.stringContaining('Growing incident: 12 failed provider requests, one cause'),
      ]);
    }
  });

  test('the reminder of a deadline does not change the number of cases at which a growing incident is announced', async () => {
    await outage(bench, 9);
    await round();
    expect(receivers.texts()).toHaveLength(1);
    await query(`UPDATE case_notices SET at = at - interval '50 minutes'`);
    await query(`UPDATE payment_list SET lapses_at = now() + interval '23 hours 50 minutes'`);
    await outage(bench, 1);
    await round();
    const texts = receivers.texts();
    expect(texts.filter((text) => text.startsWith('Growing incident: 10 '))).toHaveLength(1);
    expect(texts.filter((text) => text.startsWith('Deadline within 24 hours'))).toHaveLength(1);
  });

  test('new cases beyond the first twenty causes of a round are announced by one further message, which contains only their number', async () => {
    await outage(bench, 23);
    await query(`UPDATE jobs SET note = 'cause ' || translate(key, '0123456789-', 'ghijklmnopq')`);
    await round();
    const texts = receivers.texts();
    expect(texts).toHaveLength(21);
    expect(texts.at(-1)).toBe('3 further new cases\nOpen the case: http://console.test/cases');
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}
const nodesOf = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
];

test('the records of sent notices are read once for all new cases, not once for each case', async () => {
  await query(
    `INSERT INTO jobs (key, kind, subject_id, account_id, state, attempts, due_at, note)
     SELECT 'job_' || n, 'capture', 'pay_many' || n, 'acc_1', 'stuck', 20, 'epoch', 'down'
       FROM generate_series(1, 300) n`,
  );
  const client = await admin.pool.connect();
  await client.query('BEGIN');
  const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${QUEUE_NOTICES}`,
    [['webhook'], new Date()],
  );
  await client.query('ROLLBACK');
  client.release();
  const whole = (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan));
  const scans = whole.filter((one) => one['Relation Name'] === 'case_notices');
  const repeated = scans.filter((one) => one['Actual Loops'] >= 300);
  expect([scans.length > 0, repeated]).toEqual([true, []]);
});

describe('a notice is sent again', () => {
  test('a case causes a second notice if its deadline is within 24 hours, once, unless the first notice was sent within those 24 hours', async () => {
    await outage(bench, 1);
    await query(`UPDATE payment_list SET lapses_at = now() + interval '20 hours'`);
    await round();
    expect(receivers.texts()).toMatchObject([expect.stringContaining('Deadline: 20')]);
    await round();
    expect(receivers.texts()).toEqual([]);

    await query(`UPDATE case_notices SET at = at - interval '2 days'`);
    await round();
    await round();
    expect(receivers.texts()).toMatchObject([
      expect.stringMatching(/^Deadline within 24 hours: failed provider request \(test\)\n/),
    ]);
  });

  test('a case causes a second notice when an action on the case awaits approval, with a link to approve the action', async () => {
    const { subjectId: paymentId, requestId = '' } = await bench.rejectedRefund();
    await projectPayments(admin);
    await round();
    receivers.texts();
    const jane = await admin.signedIn('operator');
    await ask(jane, 'reissue_refund', { subjectId: paymentId, requestId });
    await round();
    await round();
    expect(receivers.texts()).toEqual([
      [
        'An action awaits approval: refund not paid to the payer (test)',
        'Money at risk: €5.00',
        'Waiting for: an approver',
        `Approve or reject: http://console.test/cases/unpaid_refund%3A${requestId}`,
      ].join('\n'),
    ]);
  });
});

describe('a receiver that fails', () => {
  const passes = (minutes: number) =>
    query(`UPDATE notice_messages SET due_at = due_at - interval '${minutes} minutes'`);

  test('is sent the notice again with growing intervals, and does not delay the other receiver', async () => {
    receivers.status = 503;
    await outage(bench, 1);
    await round();
    expect([receivers.posts.length, receivers.mails.length]).toEqual([0, 1]);

    await passes(1);
    await round();
    await passes(1);
    receivers.status = 200;
    await round();
    expect(receivers.posts).toEqual([]);
    await passes(1);
    await round();
    expect([receivers.posts.length, receivers.mails.length]).toEqual([1, 1]);

    const { text } = await admin.browser().get('/metrics');
    expect(text).toContain('console_case_notices_total{channel="webhook",result="failed"} 2');
    expect(text).toContain('console_case_notices_waiting{channel="webhook"} 0');
  });

  test('a mail server that refuses a notice gets the same message id at each attempt, and the notice is discarded after three days', async () => {
    receivers.acceptsMail = false;
    await outage(bench, 1);
    await round();
    await passes(1);
    await query(`UPDATE notice_messages SET at = at - interval '4 days'`);
    await round();
    const { rows } = await query('SELECT channel FROM notice_messages');
    expect([rows, receivers.mails]).toEqual([[], []]);
    const ids = receivers.refused.map((source) => /^Message-ID: (.+)$/im.exec(source)?.[1]);
    expect(ids).toEqual([expect.stringContaining('@console.test'), ids[0]]);
  });
});

describe('a process that stops', () => {
  test('waits a moment for the receiver to accept a notice, so that the notice is not sent again', async () => {
    const [reached, accepts] = [gate(), gate()];
    receivers.beforeMail = () => {
      reached.open();
      return accepts.opened;
    };
    await outage(bench, 1);
    const other = await another();
    const sending = other.app.get(CaseNotices).round();
    await reached.opened;
    const closing = other.close();
    // Within this time, a process that does not wait for the receiver would close its connections.
    await Promise.race([closing, pause(500)]);
    accepts.open();
    await Promise.all([closing, sending]);
    receivers.beforeMail = () => Promise.resolve();
    expect((await query('SELECT channel FROM notice_messages')).rows).toEqual([]);
    expect(receivers.mails).toHaveLength(1);
  });

  test('does not wait for a receiver that does not respond, and leaves the notice to another process', async () => {
    const [reached, ends] = [gate(), gate()];
    receivers.beforeMail = () => {
      reached.open();
      return ends.opened;
    };
    await outage(bench, 1);
    const other = await another();
    const sending = other.app.get(CaseNotices).round();
    await reached.opened;
    await other.close();
    await sending;
    receivers.acceptsMail = false;
    ends.open();
    receivers.beforeMail = () => Promise.resolve();
    expect((await query('SELECT channel FROM notice_messages')).rows).toEqual([
      { channel: 'email' },
    ]);
  });
});

test('a notice of a newer release, for which this release has no text, delays no other notice and is discarded after three days', async () => {
  await query(
    `INSERT INTO notice_messages (channel, notice)
     SELECT 'webhook', '{"occasion": "opened", "kind": "of_a_newer_release", "cases": 1}'
       FROM generate_series(1, 2)`,
  );
  await outage(bench, 1);
  await round();
  expect(receivers.texts()).toHaveLength(1);
  await query(`UPDATE notice_messages SET at = at - interval '4 days', due_at = now()`);
  await round();
  expect((await query('SELECT channel FROM notice_messages')).rows).toEqual([]);
});

test('a notice is written in French if so configured', () => {
  const notice = {
    occasion: 'opened',
    kind: 'rejected_capture',
    caseId: 'rejected_capture:cap_1',
    cases: 2,
    amounts: { eur: 125_000, jpy: 500 },
    deadline: '2030-01-02T03:04:05+00:00',
    acts: 'operator',
  } as const;
  expect(noticeText(notice, 'https://console.test', 'fr').text.replaceAll(/\s/gu, ' ')).toBe(
    'Nouveau dossier : 2 captures rejetées pour le même motif ' +
      'Montant en jeu : 1 250,00 € + 500 JPY Échéance : 2030-01-02 03:04 UTC ' +
      'En attente de : opérateur ' +
      'Ouvrir le dossier : https://console.test/cases/rejected_capture%3Acap_1',
  );
});

describe('the settings', () => {
  const withEnv = (env: Record<string, string>) => {
    Object.assign(process.env, env);
    try {
      return noticesFromEnv();
    } finally {
      for (const name of Object.keys(env)) delete process.env[name];
    }
  };

  test('send no notices unless a receiver is set', () => expect(withEnv({})).toBeNull());

  test.each<[Record<string, string>, string]>([
    [{ NOTICE_WEBHOOK_URL: 'http://hooks.example/x' }, 'must begin with https://'],
    [{ NOTICE_WEBHOOK_URL: 'http://127.0.0.1/x' }, 'must begin with https://'],
    [{ NOTICE_SMTP_URL: 'smtp://mail.example' }, 'NOTICE_EMAIL_TO'],
    [
      { NOTICE_SMTP_URL: 'https://m.example', NOTICE_EMAIL_FROM: 'a@b', NOTICE_EMAIL_TO: 'c@d' },
      'smtps://',
    ],
    [{ NOTICE_WEBHOOK_URL: 'https://hooks.example/x', NOTICE_LANGUAGE: 'de' }, 'en or fr'],
  ])('%j are refused', (env, message) => expect(() => withEnv(env)).toThrow(message));
});
