import { randomText } from '#kernel';
import { ApiKeyStore, createSecretBox } from '#platform';
import { StoredEndpointDetails } from '#webhook';
import { approve, pathOf, type Person, reason } from '../actions/requests.fixture.js';
import { Actions } from '../actions/actions.js';
import { adminConfig } from '../admin-config.js';
import { type AdminFixture, type Reply, startAdminFixture } from '../admin.fixture.js';

const ENDPOINTS = '/v1/webhook-endpoints';
const CANARY = `canary${randomText(12)}`;
const URL = `https://hooks.example/payments?token=${CANARY}`;

let admin: AdminFixture;
let ann: Person;
let bob: Person;
let operator: Person;
let platformId: string;

beforeAll(async () => {
  admin = await startAdminFixture();
  [ann, bob, operator] = await Promise.all([
    admin.signedIn('admin'),
    admin.signedIn('admin'),
    admin.signedIn('operator'),
  ]);
});
beforeEach(async () => {
  platformId = `p-${randomText(8)}`;
  await new ApiKeyStore(admin.pool).create(platformId, ['webhooks:write']);
});
afterAll(() => admin.stop());

const request = (fields: object = {}, who = ann): Promise<Reply> =>
  who.post(ENDPOINTS, { platformId, url: URL, reason, ...fields });

const eventsOf = async (id: unknown): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { rows } = await admin.pool.query<Readonly<Record<string, unknown>>>(
    `SELECT type, data, metadata ->> 'actor' AS actor FROM events WHERE stream_id = $1`,
    [id],
  );
  return rows;
};

const listed = async (): Promise<readonly unknown[]> => {
  const { body } = await ann.get(ENDPOINTS);
  const items = body['items'] as readonly { readonly platformId: string }[];
  return items.filter((item) => item.platformId === platformId);
};

/** Adds rows of endpoints of the platform, without their events. */
const addEndpoints = (count: number, status: string) =>
  admin.pool.query(
    `INSERT INTO webhook_endpoints (id, platform_id, host, event_types, status, details_ref,
                                    created_at, epoch, transaction_id)
     SELECT 'whe_' || gen_random_uuid(), $1, 'hooks.example', '{*}', $2, 'whd', now(), 1, '0'
       FROM generate_series(1, $3::int)`,
    [platformId, status, count],
  );

const tables = async (): Promise<readonly string[]> => {
  const { rows } = await admin.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  return rows.map(({ name }) => name);
};

/** The number of rows in each table to which a request could add rows. */
const counts = async (): Promise<unknown> => {
  const { rows } = await admin.pool.query(
    `SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM audit) AS audit,
            (SELECT count(*) FROM admin_actions) AS actions,
            (SELECT count(*) FROM webhook_details) AS details`,
  );
  return rows;
};

describe('a webhook endpoint that an admin requests in the console', () => {
  test('is created by the approval of a second admin', async () => {
    const asked = await request({ eventTypes: ['Order*', 'PaymentCaptured'], merchantId: 'm1' });
    expect(asked).toMatchObject({
      status: 201,
      body: { kind: 'create_endpoint', status: 'pending', requestedBy: ann.userId },
    });
    const [path, id] = [pathOf(asked), asked.body['subjectId']];
    expect(await approve(ann, path)).toMatchObject({ status: 409, body: { code: 'own_action' } });
    expect(await approve(operator, path)).toMatchObject({
      status: 403,
      body: { code: 'role_missing' },
    });
    expect([await eventsOf(id), await listed()]).toEqual([[], []]);

    const { body: preview } = await bob.get(`${path}/preview`);
    expect(preview['events']).toMatchObject([{ type: 'WebhookEndpointCreated' }]);
    expect(preview['notes']).toEqual([
      {
        code: 'endpoint_created',
        platformId,
        host: 'hooks.example',
        eventTypes: 'Order*, PaymentCaptured',
        merchantId: 'm1',
      },
    ]);
    expect((await approve(bob, path)).body).toMatchObject({
      status: 'done',
      decidedBy: bob.userId,
    });
    expect(await eventsOf(id)).toMatchObject([
      {
        type: 'WebhookEndpointCreated',
        actor: `user:${ann.userId}`,
        data: { platformId, eventTypes: ['Order*', 'PaymentCaptured'], merchantId: 'm1' },
      },
    ]);
    expect(await listed()).toMatchObject([{ id, host: 'hooks.example', status: 'enabled' }]);
  });

  test('receives all events of the platform unless the request restricts them', async () => {
    const asked = await request();
    await approve(bob, pathOf(asked));
    expect(await eventsOf(asked.body['subjectId'])).toMatchObject([
      { data: { eventTypes: ['*'], merchantId: null } },
    ]);
  });

  test('has its URL and its secret in no table and in no response of the console', async () => {
    const asked = await request();
    const path = pathOf(asked);
    const preview = await bob.get(`${path}/preview`);
    const approved = await approve(bob, path);
    expect(approved.body).toMatchObject({ status: 'done' });
    const [event] = await eventsOf(asked.body['subjectId']);
    const { detailsRef } = (event?.['data'] ?? {}) as { readonly detailsRef: string };
    const box = createSecretBox(admin.config.secretsKey);
    const details = await new StoredEndpointDetails(admin.pool, box).read(detailsRef);
    expect(details).toEqual({ url: URL, secret: expect.stringMatching(/^whsec_/) as unknown });
    const needles = [CANARY, details?.secret.slice('whsec_'.length) ?? ''];
    const lists = [path, ENDPOINTS, '/v1/audit', '/v1/actions'].map((one) => ann.get(one));
    const replies = [asked, preview, approved, ...(await Promise.all(lists))];
    for (const needle of needles) {
      expect(needle.length).toBeGreaterThan(12);
      for (const { text } of replies) expect(text).not.toContain(needle);
      for (const table of await tables()) {
        const { rowCount } = await admin.pool.query(
          `SELECT FROM ${table} AS t WHERE position($1 IN t::text) > 0`,
          [needle],
        );
        expect([table, rowCount]).toEqual([table, 0]);
      }
    }
  });

  test('has a URL and a secret that the console’s role of the database cannot read', async () => {
    const details = admin.http.app.get(StoredEndpointDetails);
    await expect(details.read('whd_1')).rejects.toThrow('permission denied');
  });

  test('is created once if the process ends between the commit and the response', async () => {
    const asked = await request();
    const path = pathOf(asked);
    await approve(bob, path);
    await addEndpoints(19, 'enabled');
    await admin.pool.query(
      `UPDATE admin_actions SET status = 'executing', ended_at = NULL,
              claimed_at = now() - interval '2 minutes' WHERE id = $1`,
      [asked.body['id']],
    );
    await admin.http.app.get(Actions).resume();
    expect((await ann.get(path)).body).toMatchObject({ status: 'done' });
    expect(await eventsOf(asked.body['subjectId'])).toHaveLength(1);
  });

  test.each([
    [{ url: 'http://hooks.example/' }, '#/url'],
    [{ url: 'https://127.0.0.1/' }, '#/url'],
    [{ url: 'http://127.0.0.1:3000/hook' }, '#/url'],
    [{ url: 'https://user:pass@hooks.example/' }, '#/url'],
    [{ url: 7 }, '#/url'],
    [{ eventTypes: [] }, '#/eventTypes'],
    [{ eventTypes: ['Unknown*'] }, '#/eventTypes'],
    [{ merchantId: 'not a merchant' }, '#/merchantId'],
    [{ platformId: 'not a platform' }, '#/platformId'],
    [{ reason: '' }, '#/reason'],
    [{ other: 1 }, '#/other'],
  ])('is refused with %o, and nothing changes', async (fields, pointer) => {
    const before = await counts();
    const { status, body } = await request(fields);
    expect(status).toBe(422);
    expect(body['errors']).toMatchObject([{ pointer: expect.stringContaining(pointer) as string }]);
    expect(await counts()).toEqual(before);
  });

  test('is refused to an operator, and for a platform without an API key', async () => {
    const before = await counts();
    expect((await request({}, operator)).status).toBe(403);
    expect(await request({ platformId: 'unknown' })).toMatchObject({
      status: 422,
      body: { code: 'platform_unknown' },
    });
    expect(await counts()).toEqual(before);
  });

  test('is refused when the platform already has 20 webhook endpoints, also at the approval', async () => {
    const code = 'too_many_webhook_endpoints';
    await addEndpoints(20, 'deleted');
    await addEndpoints(19, 'disabled');
    const asked = await request();
    await addEndpoints(1, 'enabled');
    const before = await counts();
    expect(await request()).toMatchObject({ status: 409, body: { code } });
    expect(await bob.get(`${pathOf(asked)}/preview`)).toMatchObject({
      status: 409,
      body: { code },
    });
    expect(await approve(bob, pathOf(asked))).toMatchObject({ status: 409, body: { code } });
    expect(await counts()).toEqual(before);
  });
});

test('WEBHOOKS_TO_LOOPBACK allows webhook endpoints of this machine in development', () => {
  const env = { ...process.env };
  const settings = { DATABASE_URL: admin.config.databaseUrl, SECRETS_KEY: admin.config.secretsKey };
  Object.assign(process.env, settings, { WEBHOOKS_TO_LOOPBACK: '1' });
  try {
    expect(adminConfig()).toMatchObject({ webhooksToLoopback: true });
    delete process.env['WEBHOOKS_TO_LOOPBACK'];
    expect(adminConfig()).toMatchObject({ webhooksToLoopback: false });
  } finally {
    process.env = env;
  }
});
