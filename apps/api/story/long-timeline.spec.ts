import { instantFromMs, newId } from '#kernel';
import { merchantAggregate } from '#onboarding';
import { type ApiFixture, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;

beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());

/** Drafts a merchant, and revises its details until its stream has this number of events. */
const merchantWith = async (events: number, platformId: string): Promise<string> => {
  const id = newId('mer');
  const at = instantFromMs(Date.now());
  const metadata = { correlationId: id, causationId: 'spec', actor: 'spec', traceparent: null };
  await api.store.step(metadata, async (step) => {
    const draft = { platformId, reference: id, mode: 'test', firstTerminal: null } as const;
    const details = { detailsRef: 'd', at };
    await step.execute(merchantAggregate, id, { type: 'DraftMerchant', ...draft, ...details });
    for (let n = 1; n < events; n += 1) {
      const fields = ['contact'];
      await step.execute(merchantAggregate, id, { type: 'ReviseDetails', fields, ...details });
    }
  });
  return `/v1/merchants/${id}`;
};

test('the timeline and the stream of a merchant with more than 5,000 events are refused', async () => {
  const { key, platformId } = await api.newPlatform();
  const [short, long] = [
    await merchantWith(4_000, platformId),
    await merchantWith(5_001, platformId),
  ];
  const { status, body } = await api.get(`${short}/timeline`, key);
  expect(status).toBe(200);
  expect(body['items']).toHaveLength(4_001);
  const refused = { status: 409, body: { code: 'timeline_too_long' } };
  expect(await api.get(`${long}/timeline`, key)).toMatchObject(refused);
  expect(await api.get(`${long}/events`, key)).toMatchObject(refused);
  const foreign = await api.newKey('another');
  expect((await api.get(`${long}/timeline`, foreign)).status).toBe(404);
});
