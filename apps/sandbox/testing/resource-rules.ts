import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { type IdPrefix, RESOURCES } from '../api/ids.js';
import { type Answer, type Harness, LIVE_KEY } from './harness.js';

const ajv = new Ajv2020({
  strictTypes: false,
  allErrors: true,
  code: { optimize: false },
});

/** Expects a body to have exactly the declared shape. */
export const expectShape = (body: unknown, schema: AnySchemaObject): void => {
  void ajv.validate(schema, body);
  expect(ajv.errors ?? []).toEqual([]);
};

/**
 * Reads the pages of a list, newest first, until a page contains an item for which `isFirst` is
 * true; by default, all pages. Returns the items oldest first.
 */
export const allOf = async <T>(
  sandbox: Harness,
  plural: string,
  isFirst: (item: T) => boolean = () => false,
): Promise<T[]> => {
  const items: T[] = [];
  for (;;) {
    const path = `/v2/${plural}?limit=100&start=${items.length}`;
    const { body } = await sandbox.call('GET', path);
    const page = body as unknown as Record<string, T[]> & { range: { has_more: boolean } };
    const found = page[plural] ?? [];
    items.push(...found);
    if (!page.range.has_more || found.some(isFirst)) return items.reverse();
  }
};

/** Reads the types and data of an object's events, oldest first. */
export const eventsOf = async (
  sandbox: Harness,
  id: string,
): Promise<{ type: string; data: Record<string, unknown> }[]> => {
  type SentEvent = { type: string; data: { id: string } };
  const isFirst = ({ type, data }: SentEvent) => data.id === id && type.endsWith('.created');
  const events = await allOf<SentEvent>(sandbox, 'events', isFirst);
  return events.filter(({ data }) => data.id === id);
};

/**
 * Tests the behaviour that all resources have in common. See
 * docs/provider/payments-completion.md#conventions.
 */
export interface ResourceRules {
  readonly prefix: IdPrefix;
  readonly sandbox: () => Harness;
  /** A body with which the API key `key` creates an object. */
  readonly body: (key?: string) => Promise<object> | object;
  /** A PATCH body that changes the object. */
  readonly change: () => object;
  readonly answer: AnySchemaObject;
  readonly list: AnySchemaObject;
  /** What a GET returns after DELETE: 404 (`not found`), or the object (`readable`). */
  readonly deleted: 'not found' | 'readable';
  /** The event types that POST, PATCH and DELETE send, in this order. */
  readonly events: readonly string[];
}

const unknownId = (prefix: IdPrefix): string => `${prefix}_${'a'.repeat(24)}`;

/** The rules that a resource must follow, with the helpers of its tests. */
interface Subject extends ResourceRules {
  readonly plural: string;
  readonly single: string;
  call(...args: Parameters<Harness['call']>): Promise<Answer>;
  at(id: string): string;
  make(key?: string): Promise<Answer['body']>;
}

const idOf = (made: Answer['body']): string => String(made['id']);

const readRule = ({ answer, plural, single, call, make }: Subject): void => {
  test('an object is created, and GET returns the same body under all path names', async () => {
    const made = await make();
    expectShape(made, answer);
    for (const path of [plural, single]) {
      for (const slash of ['', '/']) {
        const read = await call('GET', `/v2/${path}/${made['id']}${slash}`);
        expect([read.status, read.body]).toEqual([200, made]);
      }
    }
  });
};

const modeRule = ({ prefix, change, plural, call, at, make }: Subject): void => {
  test('an object is not visible in the other mode', async () => {
    const id = idOf(await make());
    for (const [method, sent] of [['GET'], ['PATCH', change()], ['DELETE']] as const) {
      const { status, body: answered } = await call(method, at(id), sent, LIVE_KEY);
      const error = `${RESOURCES[prefix].name} \`${id}\` not found`;
      expect([status, answered]).toEqual([404, { error }]);
    }
    const { body: page } = await call('GET', `/v2/${plural}?limit=100`, undefined, LIVE_KEY);
    expect(JSON.stringify(page)).not.toContain(id);
    const own = await make(LIVE_KEY);
    expect((await call('GET', at(idOf(own)))).status).toBe(404);
  });
};

const errorRule = ({ prefix, change, plural, call, at }: Subject): void => {
  test('an unknown id returns 404, a malformed id 422, and an unsupported method 405', async () => {
    for (const [method, sent] of [['GET'], ['PATCH', change()], ['DELETE']] as const) {
      expect((await call(method, at(unknownId(prefix)), sent)).status).toBe(404);
      for (const wrong of [`${prefix}_1`, unknownId('pi').slice(0, -1), `x${unknownId(prefix)}`]) {
        const { status, body: answered } = await call(method, at(wrong), sent);
        expect([status, answered['detail']]).toMatchObject([422, [{ loc: ['path', 'id'] }]]);
      }
    }
    const other = await call('PUT', at(unknownId(prefix)), {});
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, PATCH']);
    const whole = await call('DELETE', `/v2/${plural}`);
    expect([whole.status, whole.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
};

const unknownKeyRule = ({ body, change, plural, call, at, make }: Subject): void => {
  test('a body with an unknown field is rejected with 422 and changes nothing', async () => {
    const made = await make();
    const extra = { ...(await body()), colour: 'red' };
    const refused = [
      await call('POST', `/v2/${plural}`, extra),
      await call('PATCH', at(idOf(made)), { ...change(), colour: 'red' }),
    ];
    for (const { status, body: answered } of refused) {
      expect(status).toBe(422);
      expect(answered['detail']).toEqual([
        { loc: ['body', 'colour'], msg: expect.any(String), type: 'extra_forbidden' },
      ]);
    }
    expect((await call('GET', at(idOf(made)))).body).toEqual(made);
  });
};

const listRule = ({ list, plural, call, make }: Subject): void => {
  test('objects are listed in pages, newest first, and can be filtered by creation time', async () => {
    const ids = [idOf(await make()), idOf(await make()), idOf(await make())].reverse();
    const page = async (query: string) => {
      const { body: answered } = await call('GET', `/v2/${plural}/?${query}`);
      expectShape(answered, list);
      const items = answered[plural] as unknown as { id: string }[];
      return { ids: items.map((item) => item.id), range: answered['range'] as unknown };
    };
    expect(await page('limit=2')).toEqual({
      ids: ids.slice(0, 2),
      range: { start: 0, end: 1, limit: 2, count: 2, has_more: true },
    });
    expect((await page('start=1&limit=2')).ids).toEqual(ids.slice(1));
    expect((await page('')).range).toMatchObject({ start: 0, limit: 10 });
    const beyond = { start: 5_000, end: 5_000, limit: 10, count: 0, has_more: false };
    expect((await page('start=5000')).range).toEqual(beyond);
    const now = Math.floor(Date.now() / 1_000);
    expect((await page(`created=${now - 600}&limit=100`)).ids).toEqual(expect.arrayContaining(ids));
    expect((await page(`created=${now + 400_000_000}`)).ids).toEqual([]);
    for (const wrong of ['limit=0', 'limit=101', 'start=-1', 'limit=x', 'created=soon']) {
      const { status, body: answered } = await call('GET', `/v2/${plural}?${wrong}`);
      const loc = ['query', wrong.split('=', 1)[0]];
      expect([status, answered['detail']]).toMatchObject([422, [{ loc }]]);
    }
  });
};

const patchRule = ({ sandbox, change, answer, call, at, make }: Subject): void => {
  test('a PATCH that changes nothing returns 200 and sends no event', async () => {
    const made = await make();
    const before = await eventsOf(sandbox(), idOf(made));
    expect((await call('PATCH', at(idOf(made)), {})).body).toEqual(made);
    const once = await call('PATCH', at(idOf(made)), change());
    expect(once.status).toBe(200);
    expectShape(once.body, answer);
    expect(once.body).not.toEqual(made);
    const sent = await eventsOf(sandbox(), idOf(made));
    expect((await call('PATCH', at(idOf(made)), change())).body).toEqual(once.body);
    expect(await eventsOf(sandbox(), idOf(made))).toEqual(sent);
    expect(sent.slice(0, before.length)).toEqual(before);
  });
};

const deleteRule = (subject: Subject): void => {
  const { change, answer, deleted, plural, call, at, make } = subject;
  test(`a deleted object is ${deleted} and appears in no list`, async () => {
    const id = idOf(await make());
    const removed = await call('DELETE', at(id));
    expect([removed.status, removed.body['deleted']]).toEqual([200, true]);
    expectShape(removed.body, answer);
    const read = await call('GET', at(id));
    expect(read.status).toBe(deleted === 'not found' ? 404 : 200);
    if (deleted === 'readable') expect(read.body).toEqual(removed.body);
    expect((await call('PATCH', at(id), change())).status).toBe(
      deleted === 'not found' ? 404 : 409,
    );
    const again = await call('DELETE', at(id));
    expect(again.status).toBe(deleted === 'not found' ? 404 : 200);
    if (deleted === 'readable') expect(again.body).toEqual(removed.body);
    const { body: page } = await call('GET', `/v2/${plural}?limit=100`);
    expect(JSON.stringify(page)).not.toContain(id);
  });
};

const eventRule = ({ sandbox, change, events, call, at, make }: Subject): void => {
  test(`the resource sends the events: ${events.join(', ') || 'none'}`, async () => {
    const made = await make();
    const [created] = await eventsOf(sandbox(), idOf(made));
    if (created !== undefined) expect(created.data).toEqual(made);
    await call('PATCH', at(idOf(made)), change());
    const removed = await call('DELETE', at(idOf(made)));
    const sent = await eventsOf(sandbox(), idOf(made));
    expect(sent.map(({ type }) => type)).toEqual(events);
    const last = sent.at(-1);
    if (last?.type.endsWith('.deleted') === true) expect(last.data).toEqual(removed.body);
  });
};

export const describeResource = (rules: ResourceRules): void => {
  const { prefix, sandbox, body } = rules;
  const [plural, single] = RESOURCES[prefix].paths;
  const call: Subject['call'] = (...args) => sandbox().call(...args);
  const make: Subject['make'] = async (key) => {
    const made = await call('POST', `/v2/${plural}/`, await body(key), key);
    expect([made.status, made.body['detail'] ?? null]).toEqual([200, null]);
    return made.body;
  };
  const at = (id: string): string => `/v2/${plural}/${id}`;
  const subject: Subject = { ...rules, plural, single, call, at, make };

  describe(`${RESOURCES[prefix].name}: common rules of all resources`, () => {
    readRule(subject);
    modeRule(subject);
    errorRule(subject);
    unknownKeyRule(subject);
    listRule(subject);
    patchRule(subject);
    deleteRule(subject);
    eventRule(subject);
  });
};
