import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  breakingChanges,
  breakingSchemaChanges,
  type Contract,
  mayBreak,
} from './compatibility.js';

const ROOT = join(import.meta.dirname, '..');
const GENERATED = 'docs/generated';

interface Release {
  readonly version: string;
  readonly commit: string;
}

const jsonOf = <T>(path: string): T => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;

const last = jsonOf<readonly Release[]>('releases.json').at(-1) ?? { version: '', commit: '' };
const { version } = jsonOf<{ readonly version: string }>('package.json');

/** A file of the last release, from the history: this needs a clone with the whole history. */
const released = (path: string): string =>
  execFileSync('git', ['show', `${last.commit}:${path}`], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
  });

const filesOfRelease = (folder: string): readonly string[] =>
  execFileSync('git', ['ls-tree', '--name-only', last.commit, `${folder}/`], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');

const expectCompatible = (changes: readonly string[]): void => {
  if (!mayBreak(last.version, version)) expect(changes).toEqual([]);
};

test('the API breaks no client of the last release, unless the version says so', () => {
  const path = `${GENERATED}/openapi.api.json`;
  const before = JSON.parse(released(path)) as Contract;
  expectCompatible(breakingChanges(before, jsonOf<Contract>(path)));
});

test('the events break no subscriber of the last release, unless the version says so', () => {
  const changes = filesOfRelease(`${GENERATED}/schemas`).flatMap((path) => {
    const before = JSON.parse(released(path)) as object;
    try {
      return breakingSchemaChanges(path, before, jsonOf<object>(path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return [`${path}: was removed`];
    }
  });
  expectCompatible(changes);
});

const NAME = { type: 'string' };
const contract = (changes: {
  readonly request?: object;
  readonly response?: object;
  readonly parameters?: readonly object[];
  readonly scope?: string;
  readonly path?: string;
  readonly status?: string;
}): Contract => ({
  paths: {
    [changes.path ?? '/v1/orders']: {
      post: {
        'x-scope': changes.scope ?? 'orders:write',
        parameters: (changes.parameters ?? [{ name: 'sort', in: 'query' }]) as never,
        requestBody: {
          content: {
            'application/json': {
              schema: changes.request ?? {
                properties: { name: NAME, mode: { type: 'string', enum: ['a', 'b'] } },
                required: ['name'],
              },
            },
          },
        },
        responses: {
          [changes.status ?? '201']: {
            content: {
              'application/json': {
                schema: changes.response ?? { $ref: '#/components/schemas/Order' },
              },
            },
          },
          400: {},
        },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        properties: { id: NAME, tags: { type: 'array', items: NAME } },
        required: ['id', 'tags'],
      },
    },
  },
});

test.each<[string, Parameters<typeof contract>[0], string]>([
  ['a removed route', { path: '/v1/other' }, 'POST /v1/orders: was removed'],
  ['another scope', { scope: 'orders:admin' }, 'POST /v1/orders: needs the scope orders:admin'],
  ['another status', { status: '200' }, 'POST /v1/orders 201: is no longer returned'],
  ['a removed parameter', { parameters: [] }, 'POST /v1/orders ?sort: was removed'],
  [
    'a required parameter',
    { parameters: [{ name: 'sort', in: 'query', required: true }] },
    'POST /v1/orders ?sort: is now required',
  ],
  [
    'a removed field of a request',
    { request: { properties: { name: NAME }, required: ['name'] } },
    'POST /v1/orders request.mode: was removed',
  ],
  [
    'a required field of a request',
    {
      request: {
        properties: { name: NAME, mode: { type: 'string', enum: ['a', 'b'] } },
        required: ['name', 'mode'],
      },
    },
    'POST /v1/orders request.mode: is now required',
  ],
  [
    'a value that is no longer accepted',
    {
      request: {
        properties: { name: NAME, mode: { type: 'string', enum: ['a'] } },
        required: ['name'],
      },
    },
    'POST /v1/orders request.mode: no longer accepts b',
  ],
  [
    'a removed field of a response',
    { response: { properties: { id: NAME }, required: ['id'] } },
    'POST /v1/orders 201.tags: was removed',
  ],
  [
    'a field of a response that may be null',
    {
      response: {
        properties: {
          id: { type: ['string', 'null'] },
          tags: { type: 'array', items: NAME },
        },
        required: ['id', 'tags'],
      },
    },
    'POST /v1/orders 201.id: may now be null',
  ],
  [
    'an item of a response with another type',
    {
      response: {
        properties: { id: NAME, tags: { type: 'array', items: { type: 'integer' } } },
        required: ['id', 'tags'],
      },
    },
    'POST /v1/orders 201.tags[]: may now be integer',
  ],
  [
    'a field of a response that may be missing',
    {
      response: {
        properties: { id: NAME, tags: { type: 'array', items: NAME } },
        required: ['id'],
      },
    },
    'POST /v1/orders 201.tags: may be missing now',
  ],
])('%s breaks clients', (_what, changes, line) => {
  const [found] = breakingChanges(contract({}), contract(changes));
  expect(found).toContain(line);
});

test('new routes, optional parameters and fields, and new accepted values break no client', () => {
  const after = contract({
    parameters: [
      { name: 'sort', in: 'query' },
      { name: 'limit', in: 'query' },
    ],
    request: {
      properties: {
        name: { type: ['string', 'null'] },
        mode: { type: 'string', enum: ['a', 'b', 'c'] },
        more: NAME,
      },
      required: [],
    },
    response: {
      properties: { id: NAME, tags: { type: 'array', items: NAME }, more: NAME },
      required: ['id', 'tags', 'more'],
    },
  });
  const more = { paths: { ...after.paths, ...contract({ path: '/v1/more' }).paths } };
  expect(breakingChanges(contract({}), { ...after, ...more })).toEqual([]);
});

test.each([
  ['0.2.0', '0.2.1', false],
  ['0.2.0', '0.3.0', true],
  ['0.2.0', '1.0.0', true],
  ['1.2.0', '1.3.0', false],
  ['1.2.0', '2.0.0', true],
])('after the release %s, the version %s may break clients: %s', (before, after, expected) => {
  expect(mayBreak(before, after)).toBe(expected);
});
