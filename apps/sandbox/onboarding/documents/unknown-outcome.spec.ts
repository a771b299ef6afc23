import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import pg from 'pg';
import { createDatabase, type TestDatabase } from '#testing';
import { basic, type Harness, startHarness } from '../../testing/harness.js';
import { createCompany } from '../testing/company.js';
import { KEY } from '../testing/partner.js';
import { addressOf, localUrl, PDF } from '../testing/upload.js';

/**
 * A proxy to PostgreSQL that closes the connection before the response to the COMMIT of a document.
 */
const startLossyLine = async (url: string): Promise<Server> => {
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let [inserts, commits] = [false, false];
    client.on('data', (bytes) => {
      inserts ||= bytes.includes('documents:insert');
      commits ||= inserts && bytes.includes('COMMIT');
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (commits && bytes.includes('COMMIT')) client.destroy();
      else client.write(bytes);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

let database: TestDatabase;
let line: Server;
let sandbox: Harness;
beforeAll(async () => {
  database = await createDatabase('sandbox');
  line = await startLossyLine(database.url);
  const { port } = line.address() as AddressInfo;
  const url = new URL(database.urlFor('sandbox'));
  url.hostname = '127.0.0.1';
  url.port = String(port);
  sandbox = await startHarness({ databaseUrl: url.href });
});
afterAll(async () => {
  await sandbox.stop();
  line.close();
  await database.drop();
});

test('the content of a document is kept when the database’s response to the COMMIT was lost', async () => {
  const made = await createCompany(sandbox);
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(PDF)]), 'paper.pdf');
  const answer = await fetch(localUrl(sandbox, addressOf(made, 'kbis')), { method: 'POST', body });
  expect(answer.status).toBe(500);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('SELECT id FROM onboarding_documents');
  await client.end();
  expect(rows).toHaveLength(1);
  const query = `company=${made.company.id}&document=${rows[0]?.id}`;
  const read = await fetch(`${sandbox.url}/api/partners/document?${query}`, {
    headers: { authorization: basic(KEY) },
  });
  expect(Buffer.from(await read.arrayBuffer()).equals(PDF)).toBe(true);
});
