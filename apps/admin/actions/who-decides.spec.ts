import { gate } from '#testing';
import type { AdminFixture } from '../admin.fixture.js';
import { ActionBench } from './actions.fixture.js';
import { ask, pathOf, type Person, reason } from './requests.fixture.js';

let admin: AdminFixture;
let bench: ActionBench;
let boss: Person;

beforeAll(async () => {
  bench = await ActionBench.start();
  ({ admin } = bench);
  boss = await admin.signedIn('admin');
});

afterEach(() => {
  bench.provider.before = () => Promise.resolve(null);
});

afterAll(() => bench.stop());

/** A provider that delays every response until `open` is called. */
const slowProvider = () => {
  const [reached, answers] = [gate(), gate()];
  bench.provider.before = async () => {
    reached.open();
    await answers.opened;
    return null;
  };
  return { reached: reached.opened, open: answers.open };
};

const events = async (): Promise<unknown> =>
  (await admin.pool.query('SELECT count(*)::int AS n FROM events')).rows;

const endsRight = {
  disable: {
    status: 401,
    change: (id: string) => boss.post(`/v1/users/${id}/disable`, { reason }),
  },
  role: {
    status: 403,
    change: (id: string) => boss.post(`/v1/users/${id}/role`, { role: 'viewer', reason }),
  },
  'sign out': {
    status: 401,
    change: (id: string) => admin.pool.query('DELETE FROM admin_sessions WHERE user_id = $1', [id]),
  },
} as const;

const HOW = Object.keys(endsRight) as (keyof typeof endsRight)[];

test.each(HOW)(
  'an approval fails if the approver loses the right to approve while the provider is read (%s)',
  async (how) => {
    const [jane, john] = await Promise.all([
      admin.signedIn('operator'),
      admin.signedIn('operator'),
    ]);
    const asked = await ask(jane, 'resolve_result', await bench.targetFor('resolve_result'));
    const path = pathOf(asked);
    const {
      body: { digest },
    } = await john.get(`${path}/preview`);
    const before = await events();
    const slow = slowProvider();
    const approved = john.post(`${path}/approve`, { seen: digest });
    await slow.reached;
    await endsRight[how].change(john.userId);
    slow.open();
    expect((await approved).status).toBe(endsRight[how].status);
    expect((await jane.get(path)).body).toMatchObject({ status: 'pending', decidedBy: null });
    expect(await events()).toEqual(before);
  },
);

test.each(HOW)(
  'an action request fails if the requester loses the right to request while the provider is read (%s)',
  async (how) => {
    const jane = await admin.signedIn('operator');
    const target = await bench.targetFor('refresh');
    const slow = slowProvider();
    const asked = jane.post('/v1/actions', { kind: 'refresh', target, reason });
    await slow.reached;
    await endsRight[how].change(jane.userId);
    slow.open();
    expect((await asked).status).toBe(endsRight[how].status);
    const { rows } = await admin.pool.query(
      'SELECT status FROM admin_actions WHERE requested_by = $1',
      [jane.userId],
    );
    expect(rows).toEqual([]);
  },
);

test('a change of a user’s role waits for an approval that the user is giving at the same time', async () => {
  const [jane, john] = await Promise.all([admin.signedIn('operator'), admin.signedIn('operator')]);
  const asked = await ask(jane, 'capture', await bench.targetFor('capture'));
  const path = pathOf(asked);
  const {
    body: { digest },
  } = await john.get(`${path}/preview`);
  const [approved, demoted] = await Promise.all([
    john.post(`${path}/approve`, { seen: digest }),
    boss.post(`/v1/users/${john.userId}/role`, { role: 'viewer', reason }),
  ]);
  expect(demoted.status).toBe(200);
  // The two changes run one after the other: the user either approved while still an operator, or
  // did not approve.
  const { rows } = await admin.pool.query<{ first: string }>(
    `SELECT action AS first FROM audit
      WHERE action = 'user.role_changed' AND subject_id = $1
         OR action = 'action.approved' AND detail->>'actionId' = $2 ORDER BY id LIMIT 1`,
    [john.userId, asked.body['id']],
  );
  expect(rows).toEqual([
    {
      first: approved.status === 200 ? 'action.approved' : 'user.role_changed',
    },
  ]);
});
