import { instantFromMs, newId, randomText } from '#kernel';
import { CASE_KINDS } from '#operations';
import { subjectOfCall } from '#onboarding';
import { paymentAggregate } from '#payment';
import { ActionBench } from '../actions/actions.fixture.js';
import { differingFee, missingPayment } from '../actions/breaks.fixture.js';
import { approve, ask, pathOf, type Person, reason } from '../actions/requests.fixture.js';
import { limitAccess } from '../access/access-walk.fixture.js';
import type { AdminFixture, Reply } from '../admin.fixture.js';
import {
  captureIs,
  disputeIs,
  outage,
  paymentGoes,
  projectPayments,
  refundIs,
  stuckRefund,
} from './cases.fixture.js';

let bench: ActionBench;
let admin: AdminFixture;
let jane: Person;
let john: Person;

beforeAll(async () => {
  bench = await ActionBench.start();
  ({ admin } = bench);
  [jane, john] = await Promise.all([admin.signedIn('operator'), admin.signedIn('operator')]);
});
afterAll(() => bench.stop());

type Row = Readonly<Record<string, unknown>>;

const casesOf = async (query: string): Promise<readonly Row[]> => {
  const { status, body } = await jane.get(`/v1/cases?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body['items'] as readonly Row[];
};
const of = (subjectId: string | undefined) => casesOf(`subjectId=${subjectId}`);
const now = () => instantFromMs(Date.now());

/** Requests an action, which another operator approves. */
const byTwo = async (...[kind, target]: [Parameters<typeof ask>[1], Parameters<typeof ask>[2]]) => {
  const asked = await ask(jane, kind, target);
  const answer = await approve(john, pathOf(asked));
  expect(answer).toMatchObject({ status: 200, body: { status: 'done' } });
};

describe('the case of a refund', () => {
  test('is open until the payer has the money, not only until a new refund is requested', async () => {
    const { subjectId: paymentId, requestId = '' } = await bench.rejectedRefund();
    await projectPayments(admin);
    const id = `unpaid_refund:${requestId}`;
    const failed = { id, kind: 'unpaid_refund', part: 'not_made', acts: 'operator' };
    expect(await of(paymentId)).toMatchObject([
      { ...failed, targetId: requestId, amountMinor: 500, currency: 'eur', deadline: null },
    ]);

    const asked = await ask(jane, 'reissue_refund', { subjectId: paymentId, requestId });
    expect(await of(paymentId)).toMatchObject([
      { id, acts: 'approver', actionId: asked.body['id'] },
    ]);
    await approve(john, pathOf(asked));
    await projectPayments(admin);
    expect(await of(paymentId)).toMatchObject([{ id, part: 'reissued', acts: 'provider' }]);

    await refundIs(admin, paymentId, 'refunded');
    expect(await of(paymentId)).toEqual([]);
  });

  test('stays the same case while the refund’s result is unknown, after its retries are exhausted, and after a read shows that the provider has made no refund', async () => {
    const { paymentId } = await bench.payment('captured');
    const requestId = newId('rfr');
    const request = { type: 'RequestRefund', requestId, amountMinor: 500 } as const;
    await paymentGoes(
      admin,
      paymentId,
      { ...request, reference: null, reason: null, at: now() },
      { type: 'NoteUnknownOutcome', call: 'refund', at: now() },
    );
    const id = `unpaid_refund:${requestId}`;
    expect(await of(paymentId)).toMatchObject([{ id, part: 'unknown', acts: 'provider' }]);

    const {
      rows: [job],
    } = await admin.pool.query<{ key: string }>(
      `UPDATE jobs SET state = 'stuck', note = 'timeout', updated_at = now() - interval '1 hour'
        WHERE subject_id = $1 AND kind = 'refund' RETURNING key`,
      [paymentId],
    );
    expect(await of(paymentId)).toMatchObject([
      { id, part: 'failed', acts: 'operator', targetId: job?.key, detail: 'timeout' },
    ]);
    await byTwo('resolve_result', { subjectId: job?.key ?? '' });
    await projectPayments(admin);
    expect(await of(paymentId)).toMatchObject([
      { id, part: 'not_made', acts: 'operator', targetId: requestId },
    ]);
  });

  test('stays open after the refund is retried and accepted by the provider, until the payer has the money', async () => {
    const { id, jobId, paymentId } = await stuckRefund(bench);
    expect(await of(paymentId)).toMatchObject([{ id, part: 'failed', acts: 'operator' }]);
    const asked = await ask(jane, 'retry_request', { subjectId: jobId });
    expect(asked).toMatchObject({ body: { status: 'done' } });
    expect(await of(paymentId)).toMatchObject([{ id, part: 'retried', acts: 'provider' }]);
    await admin.pool.query('DELETE FROM jobs WHERE key = $1', [jobId]);
    for (const status of ['to_refund', 'refund_sent'] as const) {
      await refundIs(admin, paymentId, status);
      expect(await of(paymentId)).toMatchObject([{ id, part: 'accepted', acts: 'provider' }]);
    }
    await refundIs(admin, paymentId, 'refunded');
    expect(await of(paymentId)).toEqual([]);
  });

  test('stays open when a refresh shows the refund whose result was unknown', async () => {
    const { id, jobId, paymentId } = await stuckRefund(bench, { isUnknown: true });
    await refundIs(admin, paymentId, 'to_refund');
    await admin.pool.query('DELETE FROM jobs WHERE key = $1', [jobId]);
    expect(await of(paymentId)).toMatchObject([{ id, part: 'accepted', acts: 'provider' }]);
  });

  test('stays open when its failed request is resolved as executed', async () => {
    const { id, jobId, paymentId } = await stuckRefund(bench);
    await refundIs(admin, paymentId, 'to_refund');
    await byTwo('resolve_result', { subjectId: jobId });
    await admin.pool.query('DELETE FROM jobs WHERE key = $1', [jobId]);
    expect((await of(paymentId)).filter(({ kind }) => kind === 'unpaid_refund')).toMatchObject([
      { id, part: 'accepted', acts: 'provider' },
    ]);
  });

  test('ends when two people decide with a reason that no refund is owed, and its notes remain', async () => {
    const { subjectId: paymentId, requestId = '' } = await bench.rejectedRefund();
    await projectPayments(admin);
    const path = `/v1/cases/unpaid_refund:${requestId}`;
    const text = 'the payer was paid by bank transfer';
    await jane.post(`${path}/comments`, { text });
    await byTwo('abandon_refund', { subjectId: paymentId, requestId });
    await projectPayments(admin);
    expect(await of(paymentId)).toEqual([]);
    const { body } = await jane.get(path);
    expect(body).toMatchObject({
      case: null,
      history: [
        { deed: 'comment', text, actor: `user:${jane.userId}` },
        { deed: 'action.requested', actionKind: 'abandon_refund' },
        { deed: 'action.approved', actor: `user:${john.userId}` },
        { deed: 'action.done' },
      ],
    });
    const notes = await jane.get(`/v1/case-notes?subjectId=${paymentId}`);
    expect(notes.body['items']).toMatchObject([
      { caseId: `unpaid_refund:${requestId}`, deed: 'comment', text },
    ]);
    expect(await jane.post(`${path}/comments`, { text })).toMatchObject({ status: 404 });
  });
});

/** Makes an attempt of the requested capture fail; the next attempt is at this time. */
const captureFails = (paymentId: string, state: string, dueAt: string | null) =>
  admin.pool.query(
    `UPDATE jobs SET state = $2, attempts = 1, due_at = $3, note = 'unauthorized with 401'
      WHERE subject_id = $1 AND kind = 'capture'`,
    [paymentId, state, dueAt],
  );

describe('a case', () => {
  test('a case of each kind is open while the tables of the product contain its cause', async () => {
    const { pool } = admin;
    await bench.stuckCapture();
    await projectPayments(admin);
    await missingPayment(pool, bench.accountId);
    await bench.failedReaction();
    await pool.query(`
      INSERT INTO blocked_streams VALUES ('relay', 'payment', 'pay_blocked', 3, 'PaymentFlown', 9);
      INSERT INTO payment_list VALUES
        ('pay_lapsing', 'ord_1', 'shop', 'acc_1', 700, 'eur', 'authorized', null, '{}', '{}', 0, false,
         false, now(), 1),
        ('pay_unknown', 'ord_1', 'shop', 'acc_1', 700, 'eur', 'authorized', null, '{}', '{capture}', 0,
         false, false, now(), 1),
        ('pay_mismatch', 'ord_1', 'shop', 'acc_1', 700, 'eur', 'captured', null, '{}', '{}', 0, false,
         true, now(), 1),
        ('pay_rejected', 'ord_1', 'shop', 'acc_1', 700, 'eur', 'authorized', null, '{}', '{}', 0, false,
         false, now(), 1);
      UPDATE payment_list SET lapses_at = now() + interval '6 hours' WHERE payment_id = 'pay_lapsing';
      UPDATE payment_list SET updated_at = now() WHERE updated_at = 'epoch';
      UPDATE payment_list SET rejected_captures = '{cap_1}' WHERE payment_id = 'pay_rejected';
      INSERT INTO merchant_attention (merchant_id, status, status_overdue_since, unknown_results, version)
      VALUES ('mer_silent', 'incomplete', now(), '{}', 1)`);
    const { subjectId: endpointId } = await bench.targetFor('disable_endpoint');
    await pool.query(
      `UPDATE webhook_endpoints SET failing_since = now(), failures = 3 WHERE id = $1`,
      [endpointId],
    );
    await bench.rejectedRefund();
    await projectPayments(admin);
    const rows = await casesOf('limit=200');
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(CASE_KINDS));
    expect(await of('pay_lapsing')).toMatchObject([
      { kind: 'lapsing_authorization', acts: 'platform', deadline: expect.any(String) },
    ]);
    expect(rows[0]).toMatchObject({ kind: 'lapsing_authorization' });
    expect(await of('mer_silent')).toMatchObject([
      { kind: 'silent_merchant', acts: 'platform', amountMinor: null, currency: null },
    ]);
    expect(await of(endpointId)).toMatchObject([{ kind: 'failing_endpoint', acts: 'platform' }]);
  });

  test('the case of a rejected capture is separate from other cases of the payment, with the capture’s amount and reason, and whether it was final', async () => {
    const { pool } = admin;
    await pool.query(
      `INSERT INTO payment_list VALUES ('pay_two', 'ord_two', 'shop', $1, 900, 'eur', 'authorized',
         null, '{}', '{}', 0, false, false, now(), 1)`,
      [bench.accountId],
    );
    await pool.query(`UPDATE payment_list SET rejected_captures = '{cap_a,cap_b}'
                       WHERE payment_id = 'pay_two'`);
    await pool.query(
      `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                           metadata)
       SELECT 'payment', 'pay_two', version, gen_random_uuid(),
              CASE version WHEN 1 THEN 'CaptureRequested' ELSE 'CaptureRejected' END, 1, data, '{}'
         FROM unnest($1::json[]) WITH ORDINALITY event (data, version)`,
      [
        [
          JSON.stringify({ captureId: 'cap_b', amountMinor: 500, isFinal: true, at: now() }),
          JSON.stringify({
            captureId: 'cap_a',
            amountMinor: 400,
            reason: 'limit exceeded',
            at: now(),
          }),
          JSON.stringify({
            captureId: 'cap_b',
            amountMinor: 500,
            reason: 'account closed',
            at: now(),
          }),
        ],
      ],
    );
    expect(await of('pay_two')).toMatchObject([
      { id: 'rejected_capture:cap_a', part: '', amountMinor: 400, detail: 'limit exceeded' },
      { id: 'rejected_capture:cap_b', part: 'final', amountMinor: 500, detail: 'account closed' },
    ]);
    await pool.query(`DELETE FROM events WHERE stream_id = 'pay_two'`);
    await pool.query(`DELETE FROM payment_list WHERE payment_id = 'pay_two'`);
  });

  test('each case is on exactly one page of the list', async () => {
    const all = (await casesOf('limit=200')).map(({ id }) => id);
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await jane.get(`/v1/cases?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...(body['items'] as Row[]).map(({ id }) => id));
      cursor = String(body['nextCursor'] ?? '');
    } while (cursor !== '');
    expect(seen).toEqual(all);
    expect(new Set(seen).size).toBe(all.length);
  });

  test('the case of a status mismatch ends when two people have reviewed the mismatch; the record of the review contains the contradicting values', async () => {
    const paymentId = await bench.mismatchedPayment();
    await projectPayments(admin);
    const id = `mismatch:${paymentId}`;
    expect(await of(paymentId)).toMatchObject([{ id, part: 'intent', amountMinor: 1_250 }]);

    await byTwo('review_mismatches', { subjectId: paymentId });
    await projectPayments(admin);
    expect(await of(paymentId)).toEqual([]);
    const { body } = await jane.get(`/v1/cases/${id}`);
    expect(body).toMatchObject({
      case: null,
      history: [
        { deed: 'action.requested', actionKind: 'review_mismatches', text: reason },
        { deed: 'action.approved', actor: `user:${john.userId}` },
        { deed: 'action.done' },
      ],
    });
    const again = await ask(jane, 'review_mismatches', { subjectId: paymentId });
    expect(again).toMatchObject({ status: 409, body: { code: 'no_mismatch' } });
  });

  test('the case of a refund that failed before a dispute opens when the dispute is won, and ends when two people decide that no refund is owed', async () => {
    const { subjectId: paymentId, requestId = '' } = await bench.rejectedRefund();
    await projectPayments(admin);
    await disputeIs(admin, paymentId, 'open');
    expect(await of(paymentId)).toEqual([]);
    await disputeIs(admin, paymentId, 'won');
    const id = `unpaid_refund:${requestId}`;
    expect(await of(paymentId)).toMatchObject([
      { id, part: 'dispute_won', acts: 'operator', amountMinor: 500 },
    ]);
    await byTwo('abandon_refund', { subjectId: paymentId, requestId });
    await projectPayments(admin);
    expect(await of(paymentId)).toEqual([]);
  });

  test('the case of a refund whose result is unknown stays open during a dispute, even after the retries of its request are exhausted', async () => {
    const { id, jobId, paymentId } = await stuckRefund(bench, { isUnknown: true });
    await admin.pool.query(`UPDATE jobs SET state = 'waiting' WHERE key = $1`, [jobId]);
    await disputeIs(admin, paymentId, 'open');
    expect(await of(paymentId)).toMatchObject([{ id, part: 'unknown', acts: 'provider' }]);
    await admin.pool.query(`UPDATE jobs SET state = 'stuck' WHERE key = $1`, [jobId]);
    expect(await of(paymentId)).toMatchObject([
      { id, part: 'failed', acts: 'operator', targetId: jobId },
    ]);
    await byTwo('resolve_result', { subjectId: jobId });
    await projectPayments(admin);
    expect(await of(paymentId)).toEqual([]);
  });

  test('the case of a reissued refund whose request has failed stays open during a dispute', async () => {
    const { subjectId: paymentId, requestId = '' } = await bench.rejectedRefund();
    await projectPayments(admin);
    await byTwo('reissue_refund', { subjectId: paymentId, requestId });
    await admin.pool.query(
      `UPDATE jobs SET state = 'stuck', note = 'unauthorized with 401'
        WHERE key = (SELECT key FROM jobs WHERE subject_id = $1 AND kind = 'refund'
                      ORDER BY ordinal DESC LIMIT 1)`,
      [paymentId],
    );
    await disputeIs(admin, paymentId, 'open');
    expect(await of(paymentId)).toMatchObject([
      { id: `unpaid_refund:${requestId}`, part: 'failed', acts: 'operator' },
    ]);
  });

  test('the case of a refund whose request is retried during a dispute stays open until the provider accepts the request', async () => {
    const { id, jobId, paymentId } = await stuckRefund(bench);
    await disputeIs(admin, paymentId, 'open');
    await ask(jane, 'retry_request', { subjectId: jobId });
    expect(await of(paymentId)).toMatchObject([{ id, part: 'retried', acts: 'provider' }]);
    const unknown = { type: 'NoteUnknownOutcome', call: 'refund', at: now() } as const;
    await paymentGoes(admin, paymentId, unknown);
    expect(await of(paymentId)).toMatchObject([{ id, part: 'unknown', acts: 'provider' }]);
    await admin.pool.query('DELETE FROM jobs WHERE key = $1', [jobId]);
    await refundIs(admin, paymentId, 'to_refund');
    expect(await of(paymentId)).toEqual([]);
  });

  test('the case of a reissued refund stays open while its failed request is retried during a dispute', async () => {
    const { subjectId: paymentId, requestId = '' } = await bench.rejectedRefund();
    await projectPayments(admin);
    await byTwo('reissue_refund', { subjectId: paymentId, requestId });
    const {
      rows: [job],
    } = await admin.pool.query<{ key: string }>(
      `UPDATE jobs SET state = 'stuck', note = 'unauthorized with 401'
        WHERE key = (SELECT key FROM jobs WHERE subject_id = $1 AND kind = 'refund'
                      ORDER BY ordinal DESC LIMIT 1) RETURNING key`,
      [paymentId],
    );
    await disputeIs(admin, paymentId, 'open');
    await ask(jane, 'retry_request', { subjectId: job?.key ?? '' });
    const id = `unpaid_refund:${requestId}`;
    expect(await of(paymentId)).toMatchObject([{ id, part: 'reissued', acts: 'provider' }]);
    await admin.pool.query('DELETE FROM jobs WHERE key = $1', [job?.key]);
    expect(await of(paymentId)).toEqual([]);
  });

  test('the case of an authorization about to expire is not open while its capture is sent, but is open again while the provider refuses the capture', async () => {
    const { paymentId } = await bench.payment('authorized');
    const { state } = await admin.store.load(paymentAggregate, paymentId);
    expect(state.status).toBe('authorized');
    const expiresAt = state.status === 'authorized' ? state.expiresAt : null;
    const warned = instantFromMs(Date.parse(expiresAt ?? '') - 3_600_000);
    await paymentGoes(admin, paymentId, { type: 'WarnOfExpiry', at: warned });
    expect(await of(paymentId)).toMatchObject([
      { kind: 'lapsing_authorization', deadline: expiresAt },
    ]);
    await byTwo('capture', { subjectId: paymentId });
    await projectPayments(admin);
    expect(await of(paymentId)).toEqual([]);
    await captureFails(paymentId, 'running', expiresAt);
    expect(await of(paymentId)).toEqual([]);
    await captureFails(paymentId, 'waiting', expiresAt);
    expect(await of(paymentId)).toMatchObject([
      {
        id: `lapsing_authorization:${paymentId}`,
        deadline: expiresAt,
        acts: 'operator',
        detail: 'unauthorized with 401',
      },
    ]);
    await admin.pool.query('DELETE FROM jobs WHERE subject_id = $1', [paymentId]);
    await captureIs(admin, paymentId, {});
    expect(await of(paymentId)).toEqual([]);
  });

  test('the case of an authorization about to expire, whose capture failed before the warning of the expiry, is open only on the authorization’s last day', async () => {
    const { paymentId } = await bench.payment('authorized');
    const { state } = await admin.store.load(paymentAggregate, paymentId);
    const expiresAt = state.status === 'authorized' ? state.expiresAt : null;
    await byTwo('capture', { subjectId: paymentId });
    await projectPayments(admin);
    await captureFails(paymentId, 'waiting', now());
    expect(await of(paymentId)).toEqual([]);
    await captureFails(paymentId, 'waiting', expiresAt);
    expect(await of(paymentId)).toMatchObject([
      { kind: 'lapsing_authorization', deadline: expiresAt, acts: 'operator' },
    ]);
  });

  test('the case of a capture after another partial capture opens after 22 failed attempts, although the capture is still retried', async () => {
    const { paymentId } = await bench.payment('captured');
    await projectPayments(admin);
    const fail = (attempts: number) =>
      admin.pool.query(
        `INSERT INTO jobs (key, kind, subject_id, account_id, state, attempts, due_at, note)
         VALUES ($1, 'capture', $2, $3, 'waiting', $4, 'infinity', 'unauthorized with 401')
         ON CONFLICT (kind, key) DO UPDATE SET attempts = excluded.attempts`,
        [`job_${paymentId}`, paymentId, bench.accountId, attempts],
      );
    await fail(21);
    expect(await of(paymentId)).toEqual([]);
    await fail(22);
    expect(await of(paymentId)).toMatchObject([{ kind: 'failed_request', acts: 'provider' }]);
    await admin.pool.query('DELETE FROM jobs WHERE subject_id = $1', [paymentId]);
  });

  test('the case of a failed request stays open after a retry, with the time at which it began, until the request is done', async () => {
    const jobId = await bench.stuckCapture();
    await projectPayments(admin);
    const id = `failed_request:${jobId}`;
    const one = async () => (await jane.get(`/v1/cases/${id}`)).body['case'];
    const failed = (await one()) as Row;
    expect(failed).toMatchObject({ id, acts: 'operator' });
    await ask(jane, 'retry_request', { subjectId: jobId });
    const { since, cause, incident } = failed;
    const retried = { id, acts: 'provider', since, cause, incident };
    expect(await one()).toMatchObject(retried);
    const setJob = (columns: string) =>
      admin.pool.query(`UPDATE jobs SET ${columns} WHERE key = $1`, [jobId]);
    await setJob(`attempts = 3, due_at = 'infinity', updated_at = now() + interval '1 hour'`);
    expect(await one()).toMatchObject(retried);
    await setJob(`state = 'stuck'`);
    expect(await one()).toMatchObject({ ...retried, acts: 'operator' });
    await admin.pool.query('DELETE FROM jobs WHERE key = $1', [jobId]);
    expect(await one()).toBeUndefined();
  });
});

describe('an operator', () => {
  let id: string;
  const act = (who: Person, deed: string, body: object = {}): Promise<Reply> =>
    who.post(`/v1/cases/${id}/${deed}`, body);

  beforeEach(async () => {
    const exceptionId = await missingPayment(admin.pool, `acc-${newId('exc')}`);
    id = `reconciliation_break:${exceptionId}`;
  });

  test('becomes the owner of a case and stops being its owner, comments on it and snoozes it, each with an audit entry', async () => {
    await act(jane, 'take');
    expect(await casesOf(`ownerId=${jane.userId}`)).toMatchObject([{ id, ownerId: jane.userId }]);
    await act(john, 'take');
    expect(await casesOf(`ownerId=${jane.userId}`)).toEqual([]);
    await act(john, 'release');
    await act(john, 'comments', { text: 'asked the provider, answer on Monday' });
    const until = instantFromMs(Date.now() + 86_400_000);
    const { body } = await act(john, 'snooze', { until, reason: 'the provider answers on Monday' });
    expect((body['history'] as Row[]).map(({ deed }) => deed)).toEqual([
      'taken',
      'taken',
      'released',
      'comment',
      'snoozed',
    ]);
    const { rows } = await admin.pool.query<{ action: string }>(
      'SELECT action FROM audit WHERE subject_id = $1 ORDER BY id',
      [id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'case.taken',
      'case.taken',
      'case.released',
      'case.commented',
      'case.snoozed',
    ]);
  });

  test('does not see a snoozed case in the list until the snooze ends, but sees it among the snoozed cases', async () => {
    const until = instantFromMs(Date.now() + 86_400_000);
    await act(jane, 'snooze', { until, reason: 'later' });
    const isIn = async (query: string) => (await casesOf(query)).some((one) => one['id'] === id);
    expect(await isIn('snoozed=false&limit=200')).toBe(false);
    expect(await isIn('snoozed=true&limit=200')).toBe(true);
    await act(jane, 'snooze', { reason: 'the provider has answered' });
    expect(await isIn('snoozed=false&limit=200')).toBe(true);
  });

  test('sees a snoozed case again when it has changed, e.g. when its retries are exhausted', async () => {
    const refund = await stuckRefund(bench, { isUnknown: true });
    ({ id } = refund);
    const setState = (state: string) =>
      admin.pool.query('UPDATE jobs SET state = $2 WHERE key = $1', [refund.jobId, state]);
    await setState('waiting');
    const until = instantFromMs(Date.now() + 86_400_000);
    await act(jane, 'snooze', { until, reason: 'the provider is read again' });
    expect(await of(refund.paymentId)).toMatchObject([{ part: 'unknown', snoozedUntil: until }]);
    await setState('stuck');
    expect(await of(refund.paymentId)).toMatchObject([{ part: 'failed', snoozedUntil: null }]);
  });

  test('cannot snooze a case for longer than its deadline', async () => {
    id = 'lapsing_authorization:pay_lapsing';
    const until = instantFromMs(Date.now() + 86_400_000);
    expect(await act(jane, 'snooze', { until, reason: 'tomorrow' })).toMatchObject({
      status: 422,
      body: { code: 'snooze_past_deadline' },
    });
  });

  test('cannot snooze a case without an end, or write personal data into a comment', async () => {
    const until = instantFromMs(Date.now() + 91 * 86_400_000);
    expect(await act(jane, 'snooze', { until, reason: 'never again' })).toMatchObject({
      status: 422,
      body: { code: 'invalid_snooze' },
    });
    expect(await act(jane, 'comments', { text: 'ask jo@example.org' })).toMatchObject({
      status: 422,
    });
  });

  test('closes a case only by ending its cause', async () => {
    await act(jane, 'take');
    await byTwo('close_exception', { subjectId: id.split(':')[1] ?? '' });
    expect((await casesOf('limit=200')).some((one) => one['id'] === id)).toBe(false);
  });
});

describe('cases of one cause', () => {
  test('are one incident with the sum of their amounts, if they began within an hour of each other', async () => {
    const before = new Date(Date.now() - 5 * 3_600_000);
    await outage(bench, 3, new Date());
    const [, , later] = await outage(bench, 3, before);
    const rows = (await casesOf('grouped=true&kind=failed_request&limit=200')).filter(
      ({ cases }) => Number(cases) > 1,
    );
    expect(rows).toMatchObject([
      { cases: 3, amounts: { eur: 3_750 } },
      { cases: 3, amounts: { eur: 3_750 } },
    ]);
    const expanded = await casesOf(`incident=${String(rows[0]?.['incident'])}`);
    expect(expanded.map(({ targetId }) => targetId)).toContain(later);
    expect(expanded).toHaveLength(3);
  });

  test('of any kind must end before the authorization of their payment expires', async () => {
    const { paymentId } = await bench.payment('authorized');
    const { state } = await admin.store.load(paymentAggregate, paymentId);
    const expiresAt = state.status === 'authorized' ? state.expiresAt : null;
    await paymentGoes(admin, paymentId, {
      type: 'RequestCancel',
      reason: 'cancellation',
      at: now(),
    });
    await admin.pool.query(
      `UPDATE jobs SET state = 'stuck' WHERE subject_id = $1 AND kind = 'cancel'`,
      [paymentId],
    );
    expect(await of(paymentId)).toMatchObject([
      { kind: 'failed_request', part: 'cancel', deadline: expiresAt },
    ]);
    await captureIs(admin, paymentId, {});
    await admin.pool.query(
      `UPDATE jobs SET state = 'stuck' WHERE subject_id = $1 AND kind = 'cancel'`,
      [paymentId],
    );
    expect(await of(paymentId)).toMatchObject([{ part: 'cancel', deadline: null }]);
    await admin.pool.query('DELETE FROM jobs WHERE subject_id = $1', [paymentId]);
  });

  test('are sorted as one incident by the nearest of their deadlines', async () => {
    const jobs = await outage(bench, 4, new Date(Date.now() - 9 * 3_600_000));
    const last = `pay_out${jobs.indexOf(jobs.toSorted().at(-1) ?? '')}`;
    const { rows } = await admin.pool.query<{ lapses: Date }>(
      `UPDATE payment_list SET lapses_at = now() + interval '5 minutes'
        WHERE payment_id = $1 RETURNING lapses_at AS lapses`,
      [last],
    );
    const deadline = rows[0]?.lapses.toISOString();
    const incidents = await casesOf('grouped=true&kind=failed_request&limit=200');
    expect(incidents[0]).toMatchObject({ deadline });
    expect(incidents.find(({ cases }) => cases === jobs.length)).toMatchObject({ deadline });
    await admin.pool.query('UPDATE payment_list SET lapses_at = NULL WHERE payment_id = $1', [
      last,
    ]);
  });
});

test('the failed requests of an outage are retried with one preview and one approval, without requests that failed later', async () => {
  const { pool } = admin;
  await pool.query(`DELETE FROM jobs WHERE kind = 'capture'`);
  const jobs = await outage(bench, 50, new Date(Date.now() - 600_000));
  const [incident] = await casesOf('grouped=true&kind=failed_request');
  expect(incident).toMatchObject({ cases: 50, amounts: { eur: 62_500 } });
  const { cause, begun, latest } = incident as Readonly<Record<string, string>>;
  const subjectId = `${cause}.f${Date.parse(begun ?? '')}.t${Date.parse(latest ?? '')}`;
  const request = { kind: 'retry_requests', target: { subjectId }, reason: 'the provider is back' };
  const {
    body: { digest, follows, notes },
  } = await jane.post('/v1/actions/dry-run', request);
  expect(follows).toEqual([{ code: 'requests_searched', call: 'capture', count: 50 }]);
  expect(notes).toEqual([
    { code: 'amount_concerned', amountMinor: 62_500, currency: 'eur' },
    { code: 'requests_fixed', count: 50, fingerprint: expect.stringMatching(/^[\da-f]{8}$/) },
  ]);
  const [later] = await outage(bench, 1);
  const asked = await jane.post('/v1/actions', { ...request, seen: digest });
  // The case that began after the request belongs to the incident, but the action does not retry
  // its request.
  const marked = (await casesOf(`incident=${String(incident?.['incident'])}&limit=200`)).filter(
    ({ actionId }) => actionId === asked.body['id'],
  );
  expect(new Set(marked.map(({ targetId }) => targetId))).toEqual(new Set(jobs));
  await approve(john, pathOf(asked));
  const { rows } = await pool.query<{ key: string; state: string }>(
    `SELECT key, state FROM jobs WHERE key = ANY ($1)`,
    [[...jobs, later]],
  );
  const stuck = rows.filter(({ state }) => state === 'stuck').map(({ key }) => key);
  expect(stuck).toEqual([later]);
  expect(rows.filter(({ state }) => state === 'waiting')).toHaveLength(50);
  // The outcome of the action lists each retried request, and the page of each case shows the
  // action.
  const { body: ended } = await jane.get(pathOf(asked));
  const { count, retried } = ended['outcome'] as { count: number; retried: readonly Row[] };
  expect(count).toBe(50);
  expect(new Set(retried.map(({ jobId }) => jobId))).toEqual(new Set(jobs));
  const page = await jane.get(`/v1/cases/failed_request:${jobs[49]}`);
  expect((page.body['history'] as Row[]).map(({ deed }) => deed)).toEqual([
    'action.requested',
    'action.approved',
    'action.done',
  ]);
});

test('the failed requests of several incidents are retried with one preview and one approval', async () => {
  const { pool } = admin;
  await pool.query(`DELETE FROM jobs WHERE kind = 'capture'`);
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
  const jobs = [...(await outage(bench, 2, hours(8))), ...(await outage(bench, 3, hours(4)))];
  const incidents = await casesOf('grouped=true&kind=failed_request');
  expect(incidents.map(({ cases }) => cases).toSorted()).toEqual([2, 3]);
  const subjectId = incidents
    .map((row) => row as Readonly<Record<string, string>>)
    .map(
      ({ cause, begun = '', latest = '' }) =>
        `${cause}.f${Date.parse(begun)}.t${Date.parse(latest)}`,
    )
    .join(':');
  const asked = await ask(jane, 'retry_requests', { subjectId });
  const awaiting = await casesOf('kind=failed_request');
  expect(awaiting.map(({ actionId }) => actionId)).toEqual(jobs.map(() => asked.body['id']));
  expect(await approve(john, pathOf(asked))).toMatchObject({ body: { outcome: { count: 5 } } });
  const retried = await casesOf('kind=failed_request');
  expect(retried.map(({ acts }) => acts)).toEqual(jobs.map(() => 'provider'));
  expect(await casesOf('grouped=true&kind=failed_request')).toHaveLength(2);
});

test('the name of an incident never becomes the name of an incident of other cases, when an earlier incident of the cause ends', async () => {
  const { pool } = admin;
  await pool.query(`DELETE FROM jobs WHERE kind = 'capture'`);
  const jobs: string[] = [];
  for (const hours of [9, 6, 3]) {
    jobs.push(...(await outage(bench, 1, new Date(Date.now() - hours * 3_600_000))));
  }
  const [first, second] = jobs;
  const incidents = await casesOf('grouped=true&kind=failed_request');
  const nameOf = (jobId = '') =>
    String(incidents.find(({ targetId }) => targetId === jobId)?.['incident']);
  expect(new Set(jobs.map(nameOf)).size).toBe(3);
  expect(nameOf(first)).toMatch(/^failed_request\.[\da-f]{16}\.[a-p]{16}$/);

  await pool.query('DELETE FROM jobs WHERE key = $1', [first]);
  const ofSecond = await casesOf(`incident=${nameOf(second)}`);
  expect(ofSecond.map(({ targetId }) => targetId)).toEqual([second]);
  expect(await casesOf(`incident=${nameOf(first)}`)).toEqual([]);
});

describe('the failed refunds of an incident', () => {
  const incidentOf = async (paymentId: string): Promise<Readonly<Record<string, string>>> => {
    const [one] = await of(paymentId);
    const [row] = await casesOf(`grouped=true&incident=${String(one?.['incident'])}`);
    return row as Readonly<Record<string, string>>;
  };
  const requestFor = ({ cause, begun, latest }: Readonly<Record<string, string>>) => ({
    kind: 'retry_requests',
    target: {
      subjectId: `${cause}.f${Date.parse(begun ?? '')}.t${Date.parse(latest ?? '') + 60_000}`,
    },
    reason: 'the provider is back',
  });
  const note = 'no response from the refunds';

  test('are only searched for by a retry, not sent again, and the preview says so', async () => {
    const { paymentId } = await stuckRefund(bench, { isUnknown: true, note });
    const request = requestFor(await incidentOf(paymentId));
    const { body } = await jane.post('/v1/actions/dry-run', request);
    expect(body['follows']).toEqual([{ code: 'refunds_searched', count: 1 }]);
  });

  test('are still open cases after the retry, also for a user who is limited to the platform', async () => {
    const { id, paymentId } = await stuckRefund(bench, { note: `${note}, once more` });
    const request = requestFor(await incidentOf(paymentId));
    const { digest } = (await jane.post('/v1/actions/dry-run', request)).body;
    await approve(john, pathOf(await jane.post('/v1/actions', { ...request, seen: digest })));
    const limited = await admin.signedIn('viewer');
    await limitAccess(admin, limited, { scope: [{ platformId: 'shop', merchantId: null }] });
    const other = await admin.signedIn('viewer');
    await limitAccess(admin, other, { scope: [{ platformId: 'mall', merchantId: null }] });
    for (const who of [jane, limited]) {
      const { body } = await who.get(`/v1/cases/${id}`);
      expect(body).toMatchObject({ case: { part: 'retried', subjectId: paymentId } });
    }
    expect((await other.get(`/v1/cases/${id}`)).status).toBe(404);
  });

  test('are not retried if another refund of the incident has failed after the request, even if the approver saw that refund', async () => {
    const { paymentId, jobId } = await stuckRefund(bench, { note: `${note}, again` });
    const request = requestFor(await incidentOf(paymentId));
    const previewed = await jane.post('/v1/actions/dry-run', request);
    expect([request, previewed]).toMatchObject([{}, { status: 200 }]);
    const { digest } = previewed.body;
    const asked = await jane.post('/v1/actions', { ...request, seen: digest });
    expect(asked).toMatchObject({ body: { status: 'pending' } });
    await stuckRefund(bench, { note: `${note}, again` });
    expect(await john.get(`${pathOf(asked)}/preview`)).toMatchObject({
      status: 409,
      body: { code: 'requests_changed' },
    });
    expect(await approve(john, pathOf(asked))).toMatchObject({
      body: { code: 'requests_changed' },
    });
    expect(await of(paymentId)).toMatchObject([{ part: 'failed', targetId: jobId }]);
  });

  test('can be requested again after one of them was retried and the outdated request was rejected', async () => {
    const one = await stuckRefund(bench, { note: `${note}, later` });
    const { jobId } = await stuckRefund(bench, { note: `${note}, later` });
    const { target } = requestFor(await incidentOf(one.paymentId));
    const asked = await ask(jane, 'retry_requests', target);
    expect(asked.status).toBe(201);
    await ask(john, 'retry_request', { subjectId: jobId });
    expect(await approve(john, pathOf(asked))).toMatchObject({
      status: 409,
      body: { code: 'requests_changed', detail: expect.stringContaining('reject this request') },
    });
    await john.post(`${pathOf(asked)}/reject`, { reason: 'one was retried' });
    const again = await ask(jane, 'retry_requests', target);
    expect(again).toMatchObject({ status: 201, body: { status: 'pending' } });
    expect(await approve(john, pathOf(again))).toMatchObject({ body: { outcome: { count: 1 } } });
  });
});

test('failed requests about a live and a test merchant with the same error are two incidents, each listed in its mode', async () => {
  const { pool } = admin;
  const note = `the provider rejected ${randomText(8)}`.replaceAll(/\d/g, 'x');
  const failed = async (mode: string, age: string): Promise<string> => {
    const merchantId = newId('mer');
    const { rows } = await pool.query<{ key: string }>(
      `INSERT INTO jobs (key, kind, subject_id, account_id, state, attempts, due_at, note, updated_at)
       VALUES ($1, 'merchant.create_company', $2, $3, 'stuck', 20, 'epoch', $4, now() - $5::interval)
       RETURNING key`,
      [newId('job'), `${merchantId}:terminals`, `partner:${mode}`, note, age],
    );
    return `failed_request:${rows[0]?.key}`;
  };
  const ofTest = await failed('test', '2 minutes');
  const ofLive = await failed('live', '1 minute');
  for (const [mode, shown, hidden] of [
    ['live', ofLive, ofTest],
    ['test', ofTest, ofLive],
  ] as const) {
    const listed = await casesOf(`kind=failed_request&mode=${mode}&grouped=true&limit=200`);
    const ids = listed.map(({ id }) => id);
    expect([mode, ids.includes(shown), ids.includes(hidden)]).toEqual([mode, true, false]);
  }
  await pool.query('DELETE FROM jobs WHERE note = $1', [note]);
});

test('a failed order of a payment terminal is one case of the merchant, also for a user who is limited to the platform and retries it', async () => {
  const { pool } = admin;
  const [merchantId, jobId] = [newId('mer'), newId('job')];
  await pool.query(
    `INSERT INTO merchant_list VALUES ($1, 'shop', $1, 'test', 'available', true, 'cmp_1', now(), 1)`,
    [merchantId],
  );
  await pool.query(
    `INSERT INTO merchant_attention (merchant_id, status, unknown_results, unknown_since, version)
     VALUES ($1, 'available', '{order_terminal}', now(), 1)`,
    [merchantId],
  );
  await pool.query(
    `INSERT INTO jobs (key, kind, subject_id, account_id, state, attempts, due_at, note)
     VALUES ($1, 'order_terminal', $2, 'partner:test', 'stuck', 20, 'epoch', 'no response')`,
    [jobId, subjectOfCall(merchantId, 'order_terminal')],
  );
  const limited = await admin.signedIn('operator');
  await limitAccess(admin, limited, { scope: [{ platformId: 'shop', merchantId: null }] });
  for (const who of [jane, limited]) {
    const { body } = await who.get(`/v1/cases?subjectId=${merchantId}`);
    expect(body['items']).toMatchObject([
      { id: `failed_request:${jobId}`, subjectType: 'merchant', subjectId: merchantId },
    ]);
  }
  const retried = await ask(limited, 'retry_request', { subjectId: jobId });
  expect(retried.body).toMatchObject({
    status: 'done',
    outcome: { retried: [{ jobId, subjectId: merchantId }] },
  });
  await pool.query('DELETE FROM jobs WHERE key = $1', [jobId]);
  await pool.query('DELETE FROM merchant_attention WHERE merchant_id = $1', [merchantId]);
  await pool.query('DELETE FROM merchant_list WHERE merchant_id = $1', [merchantId]);
});

test('the total of all cases counts the money of a payment with several cases once, but adds up its separate refunds', async () => {
  const atRisk = async () => {
    const { atRisk: sums } = (await jane.get('/v1/case-totals')).body;
    const found = (sums as Row[]).find(
      ({ mode, currency }) => mode === 'test' && currency === 'eur',
    );
    return Number(found?.['amountMinor'] ?? 0);
  };
  const before = await atRisk();
  const paymentId = await bench.mismatchedPayment();
  await paymentGoes(admin, paymentId);
  await admin.pool.query(
    `UPDATE payment_list SET unknown_results = '{capture,cancel}' WHERE payment_id = $1`,
    [paymentId],
  );
  const found = await of(paymentId);
  expect(found.map(({ amountMinor }) => amountMinor)).toEqual([1_250, 1_250, 1_250]);
  expect(found.map(({ amounts }) => amounts)).toEqual(found.map(() => ({ eur: 1_250 })));
  expect(await atRisk()).toBe(before + 1_250);

  const { paymentId: refunded } = await bench.payment('captured');
  for (const amountMinor of [500, 300]) {
    const [requestId, at] = [newId('rfr'), now()];
    const request = { type: 'RequestRefund', requestId, amountMinor } as const;
    await paymentGoes(
      admin,
      refunded,
      { ...request, reference: null, reason: null, at },
      { type: 'RejectRefund', requestId, reason: 'declined', at },
    );
  }
  expect(await atRisk()).toBe(before + 1_250 + 800);
  await admin.pool.query('DELETE FROM payment_list WHERE payment_id = ANY ($1)', [
    [paymentId, refunded],
  ]);
});

test('live and test cases are listed and totalled apart, live first if any account is live', async () => {
  const { pool } = admin;
  const idsIn = async (mode: string) =>
    (await casesOf(`kind=reconciliation_break&mode=${mode}&limit=200`)).map(({ id }) => id);
  const inTest = `reconciliation_break:${await missingPayment(pool, bench.accountId)}`;
  expect(await idsIn('usual')).toContain(inTest);
  const liveAccount = newId('acc');
  await pool.query(
    `INSERT INTO provider_accounts
            (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
     VALUES ($1, 'shop', 'm1', 'live', '', '')`,
    [liveAccount],
  );
  const inLive = `reconciliation_break:${await missingPayment(pool, liveAccount)}`;
  for (const [mode, shown, hidden] of [
    ['usual', inLive, inTest],
    ['live', inLive, inTest],
    ['test', inTest, inLive],
  ] as const) {
    const ids = await idsIn(mode);
    expect([mode, ids.includes(shown), ids.includes(hidden)]).toEqual([mode, true, false]);
  }
  const { items, usualMode } = (await jane.get('/v1/case-totals')).body;
  expect(usualMode).toBe('live');
  const breaks = (items as Row[]).filter(({ kind }) => kind === 'reconciliation_break');
  expect(breaks.find(({ mode }) => mode === 'live')).toMatchObject({ cases: 1 });
  await pool.query('DELETE FROM reconciliation_exceptions WHERE account_id = $1', [liveAccount]);
  await pool.query('DELETE FROM provider_accounts WHERE id = $1', [liveAccount]);
});

test('the money at risk of a break is the difference of the fees if the payout line differs only in its fee', async () => {
  const { exceptionId } = await differingFee(admin, newId('acc'));
  const cases = await casesOf('kind=reconciliation_break');
  const found = cases.find(({ id }) => id === `reconciliation_break:${exceptionId}`);
  expect(found).toMatchObject({ part: 'fee', amountMinor: 3, currency: 'eur' });
});

test('the case of a closed reconciliation break shows who requested and who approved the closing, and the reason', async () => {
  const { exceptionId, paymentId } = await differingFee(admin, newId('acc'));
  const path = `/v1/cases/reconciliation_break:${exceptionId}`;
  expect(await jane.get(path)).toMatchObject({ body: { case: { subjectId: paymentId } } });
  await byTwo('close_exception', { subjectId: exceptionId });
  const { status, body } = await jane.get(path);
  expect([status, body['case']]).toEqual([200, null]);
  const history = body['history'] as readonly Row[];
  expect(history.map(({ deed, actionKind }) => [deed, actionKind])).toEqual([
    ['action.requested', 'close_exception'],
    ['action.approved', 'close_exception'],
    ['action.done', 'close_exception'],
  ]);
  expect(history[0]).toMatchObject({ text: expect.stringMatching(/\w/) });
});
