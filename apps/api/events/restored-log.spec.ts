import { type LogCursor, requireOwnLog } from '#log';
import { waitFor } from '#testing';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';
import { Cursors } from './cursors.js';

/**
 * A restore to an earlier time on the same server, or the promotion of a standby that lacks the last
 * commits: PostgreSQL assigns the transaction ids of the lost time again.
 */

let api: ApiFixture;
let key: string;
let orderId: string;
/** A cursor that the platform received in the lost time. */
let lost: string;

const burnTransactions = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await api.pool.query('SELECT pg_current_xact_id()');
};

beforeAll(async () => {
  api = await startApiFixture();
  const made = await api.newPlatform();
  ({ key } = made);
  orderId = String((await api.post('/v1/orders', key, orderBody())).body['id']);
  const { rows } = await api.pool.query<LogCursor>(
    `SELECT max(epoch) AS epoch, '1' AS position,
            (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 50)::text AS "transactionId"
       FROM events`,
  );
  const [cursor] = rows;
  if (cursor === undefined) throw new Error('the log has no events');
  lost = api.http.app.get(Cursors).textOf(made.platformId, cursor);

  await api.pool.query(`UPDATE log_identity SET incarnation = 'before'`);
  await requireOwnLog(api.pool);
  await api.openPayment(orderId);
  await burnTransactions(100);
});
afterAll(() => api.stop());

test('the feed continues after a cursor of the lost time with the first event after the restore', async () => {
  const page = await waitFor(async () => {
    const { body } = await api.get(`/v1/events?cursor=${lost}`, key);
    const items = body['items'] as readonly { readonly type: string }[];
    return items.length > 0 ? items : null;
  });
  expect(page.map(({ type }) => type)).toEqual(['payment-orchestrator.IntentCreated']);
});

test('the stream of the feed continues after an id of the lost time with the first event after the restore', async () => {
  const response = await fetch(`${api.http.url}/v1/events/stream`, {
    headers: { authorization: `Bearer ${key}`, 'last-event-id': lost },
    signal: AbortSignal.timeout(60_000),
  });
  expect(response.status).toBe(200);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.includes('\ndata: ')) break;
  }
  expect(/^event: (.*)$/m.exec(text)?.[1]).toContain('IntentCreated');
});
