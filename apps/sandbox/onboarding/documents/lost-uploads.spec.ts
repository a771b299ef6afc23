import { mock } from 'node:test';
import pg from 'pg';
import { type Harness, startHarness } from '../../testing/harness.js';
import { createCompany, readCompany } from '../testing/company.js';
import { addressOf, PDF, send } from '../testing/upload.js';
import { DocumentStore } from './document-store.js';

const SWEEP_MS = 600_000;

let sandbox: Harness;
beforeAll(async () => {
  // Mocks only setInterval, which starts the cleanup; all else uses real time.
  mock.timers.enable({ apis: ['setInterval'] });
  sandbox = await startHarness();
});
afterAll(async () => {
  await sandbox.stop();
  mock.timers.reset();
});

test('the cleanup deletes chunks of uploads whose process died, and keeps documents', async () => {
  const made = await createCompany(sandbox);
  await send(sandbox, addressOf(made, 'kbis'), [{ bytes: PDF }]);
  const store = sandbox.http.app.get<DocumentStore>(DocumentStore, { strict: false });
  await store.addChunk('dcmt_lost', 0, PDF);
  await store.addChunk('dcmt_arriving', 0, PDF);
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  const left = async (): Promise<readonly string[]> => {
    const { rows } = await client.query<{ id: string }>(
      'SELECT document_id AS id FROM onboarding_document_chunks',
    );
    return rows.map(({ id }) => id);
  };
  await client.query(`
      UPDATE onboarding_document_chunks SET arrived_wall_at = now() - interval '2 hours'
      WHERE document_id <> 'dcmt_arriving'`);
  mock.timers.tick(SWEEP_MS - 1);
  expect(await left()).toContain('dcmt_lost');
  mock.timers.tick(1);
  while ((await left()).includes('dcmt_lost')) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // Recent chunks, which another process may still be uploading, and chunks of documents are not
  // deleted.
  expect(await left()).toHaveLength(2);
  await client.end();
  expect((await readCompany(sandbox, made.company.id)).company.documents).toHaveLength(1);
});
