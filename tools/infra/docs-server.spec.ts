import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scratchDir } from './processes.mjs';
import { serveDocs } from './docs-server.mjs';

const parent = scratchDir(mkdtempSync(join(tmpdir(), 'site-')));
const site = join(parent, 'site');
let served: Awaited<ReturnType<typeof serveDocs>>;

beforeAll(async () => {
  mkdirSync(site);
  writeFileSync(join(site, 'index.html'), 'start');
  writeFileSync(join(site, 'style.css'), 'body {}');
  writeFileSync(join(parent, 'other.txt'), 'other');
  served = await serveDocs(site);
});
afterAll(() => served.stop());

/** Sends the path unchanged, because `fetch` would remove `..` from it. */
const read = (path: string): Promise<readonly [status: number | undefined, type: unknown]> =>
  new Promise((resolve, reject) => {
    request(`${served.url}`, { path }, (answer) => {
      answer.resume();
      resolve([answer.statusCode, answer.headers['content-type']]);
    })
      .on('error', reject)
      .end();
  });

test.each([
  ['/', 200, 'text/html'],
  ['/style.css?v=1', 200, 'text/css'],
  ['/absent.html', 404, 'text/html'],
  ['/../other.txt', 404, ''],
  ['/%2e%2e%2fother.txt', 404, ''],
  ['/%', 404, ''],
])('the documentation is served from its folder only: %s', async (path, status, type) => {
  expect(await read(path)).toEqual([status, type]);
});
