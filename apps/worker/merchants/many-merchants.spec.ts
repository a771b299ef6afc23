import { DAY_MS, newEventId, parseInstant, randomText } from '#kernel';
import { isRegistered } from '#onboarding';
import { identityOf, MerchantBench } from './merchants.fixture.js';

const MERCHANTS = 3_000;
const CHANGED = 200;

let bench: MerchantBench;

beforeAll(async () => {
  bench = await MerchantBench.open();
  bench.setTime(parseInstant('2026-03-10T11:00:00Z'));
});
afterAll(() => bench.close());

/** Fills the event log directly with the merchants of a large platform. */
const fillLog = async (): Promise<readonly { id: string; companyId: string }[]> => {
  const at = bench.worker.clock.now();
  const rows = Array.from({ length: MERCHANTS }, () => {
    const company = bench.partner.model.create(identityOf(bench.body()));
    return { id: `mer_${randomText(24)}`, companyId: company?.id ?? '' };
  });
  const registered = (id: string, companyId: string): readonly (readonly [string, object])[] => [
    [
      'MerchantDrafted',
      {
        platformId: 'plat_1',
        reference: id,
        mode: 'test',
        firstTerminal: null,
        detailsRef: 'det',
        at,
      },
    ],
    ['RegistrationRequested', { detailsRef: 'det', at }],
    ['CompanyRegistered', { companyId, at }],
    [
      'CompanyStatusChanged',
      {
        day: '2026-03-10',
        status: 'incomplete',
        terminatedByProvider: null,
        source: 'history',
        readAt: at,
        at,
      },
    ],
  ];
  const events = rows.flatMap(({ id, companyId }) =>
    registered(id, companyId).map(([type, data], index) => ({
      id,
      version: index + 1,
      type,
      data,
      event: newEventId(),
    })),
  );
  await bench.worker.admin.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                         metadata)
     SELECT 'merchant', id, version, event, type, 1, data, '{}'
       FROM jsonb_to_recordset($1) AS e(id text, version int, type text, data jsonb, event uuid)`,
    [JSON.stringify(events)],
  );
  await bench.worker.admin.query(
    `INSERT INTO reservations (scope, key, holder)
     SELECT 'merchant.company test', "companyId", id
       FROM jsonb_to_recordset($1) AS r(id text, "companyId" text)`,
    [JSON.stringify(rows)],
  );
  return rows;
};

test('with thousands of merchants, a daily poll sends one request for each day of the history, and schedules reads only for changed companies', async () => {
  const merchants = await fillLog();
  const poller = await bench.newPoller();
  await poller.roundNow();
  bench.worker.clock.advance(5 * DAY_MS);
  await poller.roundNow();
  bench.worker.clock.advance(DAY_MS);
  const changed = merchants.slice(0, CHANGED);
  for (const { companyId } of changed) bench.partner.model.change(companyId, 'in_review');
  bench.partner.asked.length = 0;
  const startedAtMs = performance.now();
  await poller.roundNow();
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
  expect(bench.partner.asked).toEqual(Array.from({ length: 5 }, () => 'history'));
  const due = await bench.worker.rows<{ key: string }>(
    `SELECT key FROM jobs WHERE kind = 'merchant.company'`,
  );
  expect(due.map(({ key }) => key).toSorted()).toEqual(changed.map(({ id }) => id).toSorted());
  const states = await Promise.all(changed.map(({ id }) => bench.merchant(id)));
  expect(states.every((one) => isRegistered(one) && one.status === 'in_review')).toBe(true);
  process.stdout.write(`${MERCHANTS} merchants, ${CHANGED} changed: ${seconds} s\n`);
});
