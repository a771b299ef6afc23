import { DAY_MS, HOUR_MS, MINUTE_MS } from '#kernel';
import { lockWaits, waitFor } from '#testing';
import { resolveAbsent } from '../resolve-absent.js';
import { identityOf, MerchantBench } from '../merchants.fixture.js';
import type { TinyPartner } from '../tiny-partner.fixture.js';

let bench: MerchantBench;
let partner: TinyPartner;

beforeAll(async () => {
  bench = await MerchantBench.open();
  ({ partner } = bench);
});
beforeEach(async () => {
  partner.reset();
  bench.worker.clock.advance(MINUTE_MS);
  await bench.worker.admin.query('TRUNCATE jobs');
});
afterAll(() => bench.close());

const requested = async (): Promise<string> => {
  const id = await bench.request();
  await bench.runAll();
  return id;
};

const companyOf = async (id: string): Promise<string | null> => {
  const merchant = await bench.merchant(id);
  return 'companyId' in merchant ? merchant.companyId : null;
};

/** Resolves the creation call as an operator does with `npm run ops`. */
const resolve = (merchantId: string): Promise<void> => {
  const { pool, store, clock } = bench.worker;
  const resolution = {
    merchantId,
    call: 'create_company',
    reason: 'the provider says so',
    actor: 'user:ops',
  } as const;
  return resolveAbsent({ pool, store }, resolution, clock.now());
};

test('a company is created once, and claimed only by the merchant for which it was created', async () => {
  const id = await requested();
  const [company] = partner.companies();
  expect(await bench.merchant(id)).toMatchObject({
    status: 'incomplete',
    companyId: company?.id,
    companyAccountId: company?.account,
  });
  expect(partner.asked).toEqual(['create']);
  const scope = 'merchant.company test';
  expect(await bench.worker.store.holdersOf(scope, [company?.id ?? ''])).toEqual(
    new Map([[company?.id, id]]),
  );
});

test('no event or job of a company creation contains personal data of the merchant', async () => {
  const id = await requested();
  const email = partner.companies()[0]?.email ?? 'none';
  const rows = await bench.worker.rows<{ all: string }>(
    `SELECT coalesce(string_agg(e::text, ''), '') || (SELECT coalesce(string_agg(f::text, ''), '')
                                                        FROM jobs f) AS all
       FROM events e WHERE stream_id = $1`,
    id,
  );
  expect(rows[0]?.all).toContain('CompanyRegistered');
  expect(rows[0]?.all).not.toContain(email);
  expect(rows[0]?.all).not.toContain('Camille');
});

describe('a company creation with an unknown result', () => {
  test.each(['reset', 'half'] as const)(
    'is resolved by a search at the provider, if the company was created (%s)',
    async (fault) => {
      partner.failNext('create', fault);
      const id = await requested();
      expect(await bench.merchant(id)).toMatchObject({
        status: 'requested',
        unknown: ['create_company'],
      });
      await bench.retryLater();
      expect(await companyOf(id)).toBe(partner.companies()[0]?.id);
      expect(partner.count('create')).toBe(1);
      expect((await bench.story(id)).slice(2, 5)).toEqual([
        'CompanyRequestResultUnknown',
        'CompanyRegistered',
        'CompanyRequestResultResolved',
      ]);
    },
  );

  test('is resolved even when the company’s status has changed since', async () => {
    partner.failNext('create', 'reset');
    partner.failNext('history', 'status_500', 1);
    const id = await requested();
    const company = partner.companies()[0]?.id ?? '';
    bench.worker.clock.advance(DAY_MS);
    partner.model.change(company, 'in_review');
    await bench.retryLater();
    await bench.retryLater();
    expect(await bench.merchant(id)).toMatchObject({ companyId: company, status: 'in_review' });
  });

  test('a call that was sent while our clock was ahead of the provider’s is resolved after the clock is corrected', async () => {
    bench.skew(36 * HOUR_MS);
    partner.failNext('create', 'reset');
    const id = await requested();
    bench.skew(0);
    await bench.retryLater(37 * HOUR_MS);
    expect(await companyOf(id)).toBe(partner.companies()[0]?.id);
  });

  test('a call that created no company is never sent again, and the search for a company continues with backoff', async () => {
    partner.failNext('create', 'reset_before');
    const id = await requested();
    for (let hour = 0; hour < 60; hour += 1) await bench.retryLater(HOUR_MS);
    expect(partner.count('create')).toBe(1);
    expect(partner.count('history')).toBe(21);
    expect(await bench.jobs(id)).toMatchObject([{ kind: 'create_company', state: 'stuck' }]);
    expect(await bench.merchant(id)).toMatchObject({ status: 'requested' });
  });

  test('is not resolved by a company at the provider that has other details and belongs to no merchant', async () => {
    partner.model.create(identityOf(bench.body()));
    partner.failNext('create', 'reset_before');
    const id = await requested();
    await bench.retryLater();
    expect(await companyOf(id)).toBeNull();
    expect(partner.count('read')).toBe(1);
  });

  test('is not resolved by a company of another merchant with the same people', async () => {
    const body = bench.body();
    const first = await bench.request({}, body);
    await bench.runAll();
    partner.failNext('create', 'reset_before');
    const second = await bench.request({}, body);
    await bench.runAll();
    await bench.retryLater();
    expect(await companyOf(first)).not.toBeNull();
    expect(await companyOf(second)).toBeNull();
    expect(partner.count('read')).toBe(0);
  });

  test('is resolved even if an unrelated company cannot be read', async () => {
    const odd = partner.model.create(identityOf(bench.body()));
    partner.failNext('create', 'reset');
    const id = await requested();
    const [first, second] = [partner.companies()[0]?.id, partner.companies()[1]?.id];
    expect(first).toBe(odd?.id);
    partner.failNext('read', { refuse: { status: 422, type: 'validation' } });
    await bench.retryLater();
    expect(await companyOf(id)).toBe(second);
  });

  test('stays open while a company that may be the created company cannot be read', async () => {
    partner.failNext('create', 'reset');
    const id = await requested();
    partner.failNext('read', { refuse: { status: 422, type: 'validation' } });
    await bench.retryLater();
    expect(await bench.jobs(id)).toMatchObject([{ state: 'waiting' }]);
    await bench.retryLater();
    expect(await companyOf(id)).toBe(partner.companies()[0]?.id);
  });

  test('shares one read of each unclaimed company with concurrent creations', async () => {
    partner.failNext('create', 'reset', 8);
    const bodies = Array.from({ length: 8 }, () => bench.body());
    const ids = await Promise.all(bodies.map((body) => bench.request({}, body)));
    partner.model.create(identityOf(bench.body()));
    await bench.runAll();
    partner.asked.length = 0;
    await bench.retryLater();
    for (const id of ids) expect(await companyOf(id)).not.toBeNull();
    expect(partner.count('history')).toBe(1);
    expect(partner.count('read')).toBeLessThanOrEqual(2 * 9);
  });

  test('is sent again only after an operator has confirmed that no company was created', async () => {
    partner.failNext('create', 'reset_before');
    const id = await requested();
    await bench.retryLater();
    await resolve(id);
    expect(await bench.merchant(id)).toMatchObject({ status: 'draft', unknown: [] });
    await bench.command(id, { type: 'RequestRegistration', at: bench.worker.clock.now() });
    await bench.runAll();
    expect(await companyOf(id)).toBe(partner.companies()[0]?.id);
    expect(partner.count('create')).toBe(2);
  });

  test('a call that an operator wrongly resolved as not executed is repeated, and its company is found when the provider refuses the email as already in use', async () => {
    partner.failNext('create', 'reset');
    const id = await requested();
    partner.failNext('history', 'status_500', 1);
    await resolve(id);
    bench.worker.clock.advance(3 * DAY_MS);
    await bench.command(id, { type: 'RequestRegistration', at: bench.worker.clock.now() });
    await bench.runAll();
    await bench.retryLater();
    expect(partner.companies()).toHaveLength(1);
    expect(await companyOf(id)).toBe(partner.companies()[0]?.id);
  });

  test('a call that an operator wrongly resolved as not executed is repeated, and its result is unknown as long as one of the companies cannot be read', async () => {
    partner.failNext('create', 'reset');
    const id = await requested();
    await resolve(id);
    partner.failNext('read', { refuse: { status: 422, type: 'validation' } });
    await bench.command(id, { type: 'RequestRegistration', at: bench.worker.clock.now() });
    await bench.runAll();
    expect(await bench.merchant(id)).toMatchObject({
      status: 'requested',
      unknown: ['create_company'],
    });
    await bench.retryLater();
    expect(await companyOf(id)).toBe(partner.companies()[0]?.id);
    expect(partner.companies()).toHaveLength(1);
  });

  test('cannot be resolved by an operator once its result has become known', async () => {
    const id = await requested();
    await expect(resolve(id)).rejects.toMatchObject({ code: 'not_unknown' });
  });

  test('cannot be resolved by an operator while a search is running', async () => {
    partner.failNext('create', 'reset_before');
    const id = await requested();
    const worker = await bench.worker.admin.connect();
    await worker.query('BEGIN');
    await worker.query(
      `UPDATE jobs SET state = 'running', held_until = now() WHERE subject_id = $1`,
      [id],
    );
    const settling = Promise.allSettled([resolve(id)]);
    await waitFor(() => lockWaits(bench.worker.admin));
    await worker.query('COMMIT');
    worker.release();
    expect(await settling).toMatchObject([{ reason: { code: 'search_in_progress' } }]);
    expect(await bench.merchant(id)).toMatchObject({ status: 'requested' });
  });
});

describe('two merchants with the same people and company', () => {
  const bothUnknown = async (): Promise<readonly [first: string, second: string]> => {
    const body = bench.body();
    partner.failNext('create', 'reset_before');
    const first = await bench.request({}, body);
    await bench.runAll();
    partner.failNext('create', 'reset');
    const second = await bench.request({ platformId: 'plat_2' }, body);
    await bench.runAll();
    return [first, second];
  };

  test('claim no company while either merchant’s creation call may have created it', async () => {
    const ids = await bothUnknown();
    await bench.retryLater();
    for (const id of ids) {
      expect(await bench.merchant(id)).toMatchObject({
        status: 'requested',
        unknown: ['create_company'],
      });
      expect(await bench.jobs(id)).toMatchObject([{ note: expect.stringContaining('mer_') }]);
    }
  });

  test('get only one company, which the second merchant claims after an operator has confirmed that the first merchant’s request created none', async () => {
    const [first, second] = await bothUnknown();
    await bench.retryLater();
    await resolve(first);
    await bench.command(first, { type: 'RequestRegistration', at: bench.worker.clock.now() });
    await bench.runAll();
    expect(await bench.merchant(first)).toMatchObject({
      status: 'rejected',
      reason: 'email_unavailable',
    });
    await bench.retryLater();
    expect(await companyOf(second)).toBe(partner.companies()[0]?.id);
    expect(partner.companies()).toHaveLength(1);
  });

  test('claim a company only for the merchant whose creation created it, even if a search for the other merchant finds the company first', async () => {
    const body = bench.body();
    partner.failNext('create', 'reset_before');
    const first = await bench.request({}, body);
    await bench.runAll();
    const second = await bench.request({ platformId: 'plat_2' }, body);
    partner.after = async (verb) => {
      if (verb !== 'create') return;
      partner.after = () => {};
      bench.worker.clock.advance(MINUTE_MS);
      await bench.runAll();
      expect(partner.count('read')).toBe(1);
    };
    await bench.runAll();
    expect(await companyOf(first)).toBeNull();
    expect(await companyOf(second)).toBe(partner.companies()[0]?.id);
  });
});

describe('a worker whose claim on a company creation expires', () => {
  /** A worker claims the job and runs `call`; then its claim expires, as after a crash. */
  const dieAt = async (id: string, call: () => Promise<void>): Promise<void> => {
    const [job] = await bench.runner.claim(1);
    expect(job).toMatchObject({ kind: 'create_company', subjectId: id });
    await call();
    await bench.lapse();
  };

  test('a worker that loses its claim before the call leaves the result unknown, and no other worker sends the call', async () => {
    const id = await bench.request();
    await dieAt(id, async () => undefined);
    await bench.runAll();
    expect(partner.asked).toEqual(['history']);
    expect(await bench.merchant(id)).toMatchObject({ unknown: ['create_company'] });
    await bench.retryLater();
    expect(partner.count('create')).toBe(0);
  });

  test('a worker that loses its claim between the call and the commit leaves a company that the next worker finds', async () => {
    const body = bench.body();
    const id = await bench.request({}, body);
    await dieAt(id, async () => void partner.model.create(identityOf(body)));
    await bench.runAll();
    expect(partner.asked).toEqual(['history', 'read']);
    expect(await companyOf(id)).toBe(partner.companies()[0]?.id);
  });

  test('a worker that loses its claim during a search leaves the search to another worker', async () => {
    partner.failNext('create', 'reset');
    const id = await requested();
    bench.worker.clock.advance(MINUTE_MS);
    await dieAt(id, async () => undefined);
    await bench.runAll();
    expect(partner.count('create')).toBe(1);
    expect(await companyOf(id)).not.toBeNull();
  });

  test('changes nothing when it commits after another worker has finished the job', async () => {
    const id = await bench.request();
    partner.after = async (verb) => {
      if (verb !== 'create') return;
      partner.after = () => {};
      await bench.lapse();
      await bench.runAll();
    };
    await bench.runAll();
    expect(partner.count('create')).toBe(1);
    expect(await companyOf(id)).toBe(partner.companies()[0]?.id);
    expect((await bench.story(id)).filter((type) => type === 'CompanyRegistered')).toHaveLength(1);
  });
});

describe('a rejection of a company creation', () => {
  test('is recorded with the provider’s type and the fields that caused it', async () => {
    const refuse = { status: 422, type: 'validation', fields: ['iban', 'user.contact.phone'] };
    partner.failNext('create', { refuse });
    const id = await requested();
    expect(await bench.merchant(id)).toMatchObject({
      status: 'rejected',
      reason: 'validation',
      fields: ['payoutAccount.iban', 'contact.phone'],
    });
    expect(await bench.jobs(id)).toMatchObject([{ state: 'done', note: 'validation' }]);
  });

  test('names the email if the email is already in use, and claims no company with this email', async () => {
    const body = bench.body();
    partner.model.create(identityOf(body));
    const id = await bench.request({}, body);
    await bench.runAll();
    expect(await bench.merchant(id)).toMatchObject({
      status: 'rejected',
      reason: 'email_unavailable',
      fields: ['contact.email'],
    });
    expect(partner.asked).toEqual(['create']);
  });

  test.each([false, true])(
    'because of a company whose creation a database restore has lost adopts the company (first read fails: %s)',
    async (isFirstReadFailed) => {
      const body = bench.body();
      const lost = partner.model.create(identityOf(body));
      await bench.worker.admin.query('INSERT INTO log_restores (lost_since) VALUES ($1)', [
        bench.worker.clock.now(),
      ]);
      bench.worker.clock.advance(7 * DAY_MS);
      if (isFirstReadFailed) partner.failNext('read', { refuse: { status: 422, type: 'odd' } });
      const id = await bench.request({}, body);
      await bench.runAll();
      await bench.retryLater();
      await bench.worker.admin.query('DELETE FROM log_restores');
      expect(await companyOf(id)).toBe(lost?.id);
      expect(partner.companies()).toHaveLength(1);
    },
  );

  test('because of a company of a lost time with another payout account adopts no company, also after an operator has confirmed that none was created', async () => {
    const body = bench.body();
    partner.model.create(identityOf(body));
    await bench.worker.admin.query('INSERT INTO log_restores (lost_since) VALUES ($1)', [
      bench.worker.clock.now(),
    ]);
    bench.worker.clock.advance(7 * DAY_MS);
    const payoutAccount = { iban: 'FR7630006000011234567890189' };
    const id = await bench.request({}, { ...body, payoutAccount });
    await bench.runAll();
    await bench.retryLater();
    expect(await bench.jobs(id)).toMatchObject([
      { note: 'a company with this email, which the log lacks, has another payout account' },
    ]);
    await resolve(id);
    await bench.command(id, { type: 'RequestRegistration', at: bench.worker.clock.now() });
    await bench.runAll();
    await bench.worker.admin.query('DELETE FROM log_restores');
    expect(await companyOf(id)).toBeNull();
    expect(await bench.merchant(id)).toMatchObject({ unknown: ['create_company'] });
  });

  test('is followed by a retry if the API key or the rate limit caused it', async () => {
    partner.failNext('create', { refuse: { status: 401, type: 'unauthorized' } });
    partner.failNext('create', { refuse: { status: 429, type: 'too-many' } });
    const id = await requested();
    expect(await bench.merchant(id)).toMatchObject({ status: 'requested', unknown: [] });
    await bench.retryLater();
    await bench.retryLater();
    expect(await companyOf(id)).not.toBeNull();
    expect(partner.companies()).toHaveLength(1);
  });
});

test('the result of a company creation that may have been sent stays unknown when the merchant’s details are erased', async () => {
  const body = bench.body();
  const id = await bench.request({}, body);
  await bench.runner.claim(1);
  partner.model.create(identityOf(body));
  await bench.lapse();
  await bench.details.erase(id);
  await bench.command(id, { type: 'ErasePersonalData', at: bench.worker.clock.now() });
  await bench.runAll();
  expect(await bench.merchant(id)).toMatchObject({
    status: 'requested',
    unknown: ['create_company'],
  });
  expect(await bench.jobs(id)).toMatchObject([{ state: 'stuck' }]);
  await resolve(id);
  expect(await bench.merchant(id)).toMatchObject({
    status: 'rejected',
    reason: 'details_erased',
    unknown: [],
  });
});

test('a company creation is not sent when the merchant’s details have been erased', async () => {
  const id = await bench.request();
  await bench.details.erase(id);
  await bench.command(id, { type: 'ErasePersonalData', at: bench.worker.clock.now() });
  await bench.runAll();
  expect(await bench.merchant(id)).toMatchObject({ status: 'rejected', reason: 'details_erased' });
  expect(partner.asked).toEqual([]);
});

test('a company creation whose response cannot be recorded has an unknown result and needs an operator', async () => {
  const id = await bench.request();
  const { store, clock } = bench.worker;
  partner.after = async (verb) => {
    if (verb !== 'create') return;
    // Another merchant has already claimed this company; this cannot happen in practice.
    const key = partner.companies()[0]?.id ?? '';
    const metadata = bench.worker.metadata(id);
    await store.step(metadata, (step) =>
      step.reserve({ scope: 'merchant.company test', key, holder: 'mer_other' }),
    );
  };
  await bench.runAll();
  expect(await bench.jobs(id)).toMatchObject([{ state: 'stuck' }]);
  expect(await bench.merchant(id)).toMatchObject({
    status: 'requested',
    unknown: ['create_company'],
    requestedAt: clock.now(),
  });
});
