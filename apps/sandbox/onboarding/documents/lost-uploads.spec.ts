import pg from 'pg';
import { type Harness, startHarness } from '../../testing/harness.js';
import { createCompany, readCompany } from '../testing/company.js';
import { addressOf, PDF, send } from '../testing/upload.js';
import { DocumentStore } from './document-store.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

test('chunks of uploads that died with their process go at a later start, documents stay',
  async () => {
    const made = await createCompany(sandbox);
    await send(sandbox, addressOf(made, 'kbis'), [{ bytes: PDF }]);
    const store = sandbox.http.app.get<DocumentStore>(DocumentStore, { strict: false });
    await store.addChunk('dcmt_lost', 0, PDF);
    const client = new pg.Client({ connectionString: sandbox.database.url });
    await client.connect();
    const left = async (): Promise<number> =>
      (await client.query('SELECT document_id FROM onboarding_document_chunks')).rows.length;
    await sandbox.restart();
    // It may still be arriving, in another process.
    expect(await left()).toBe(2);
    await client.query(
      `UPDATE onboarding_document_chunks SET arrived_wall_at = now() - interval '2 hours'`,
    );
    await sandbox.restart();
    while ((await left()) > 1) await new Promise((resolve) => setTimeout(resolve, 20));
    await client.end();
    expect((await readCompany(sandbox, made.company.id)).company.documents).toHaveLength(1);
  });
