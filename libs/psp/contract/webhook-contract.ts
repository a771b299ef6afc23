import { newId } from '#kernel';
import type { ProviderAdapter } from '../port.js';
import { type Arranged, intentOf } from './arranged.js';

const DAY_SECONDS = 86_400;

export const webhookContract = (adapter: ProviderAdapter, arranged: () => Arranged): void => {
  test('a webhook has a valid signature, and contains the id of the intent to read', async () => {
    const {
      client: { payments },
      payByCard,
      webhooksAbout,
    } = arranged();
    const reference = newId('pay');
    const { intentId, pageUrl } = await payments.createIntent(intentOf(reference));
    await payByCard(pageUrl);
    const deliveries = await webhooksAbout(intentId);
    expect(deliveries.length).toBeGreaterThan(0);
    for (const delivery of deliveries) {
      const check = (changes: Partial<typeof delivery>): string =>
        adapter.checkWebhook({ ...delivery, ...changes });
      expect(check({})).toBe('verified');
      expect(check({ headers: {} })).toBe('unsigned');
      expect(check({ rawBody: Buffer.concat([delivery.rawBody, Buffer.from(' ')]) })).toBe('wrong');
      expect(check({ secret: 'ab'.repeat(32) })).toBe('wrong');
      expect(check({ nowSeconds: delivery.nowSeconds + DAY_SECONDS })).toBe('wrong');
      expect(adapter.readWebhook(delivery.rawBody)).toMatchObject({
        intentId,
        reference,
        eventId: expect.any(String),
        type: expect.any(String),
      });
    }
  });

  test.each(['', 'not JSON', '[]', '{"id":1}'])(
    'a webhook body with the content %j is not an event',
    (body) => {
      expect(adapter.readWebhook(Buffer.from(body))).toBeNull();
    },
  );
};
