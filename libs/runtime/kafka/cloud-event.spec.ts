import { CloudEvent, Kafka as CloudEventsKafka } from 'cloudevents';
import type { RecordedEvent } from '#log';
import { encodeCloudEvent } from './index.js';

const event: RecordedEvent = {
  cursor: { epoch: 1, transactionId: '700', position: '12' },
  streamType: 'order',
  streamId: 'ord_1',
  version: 3,
  eventId: '5d0a2b1e-6c1f-4a43-9a57-2d3a5f0f7f11',
  type: 'OrderPaid',
  schemaVersion: 1,
  data: { paymentId: 'pay_1', amountMinor: 1_200, currency: 'eur', at: '2026-03-01T12:00:00.000Z' },
  metadata: {
    correlationId: 'ord_1',
    causationId: 'req_1',
    actor: 'saga:checkout',
    platformId: 'shop',
    merchantId: 'mer_1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
  recordedAt: '2026-03-02T00:00:00.000Z',
};
const topics = { prefix: 'x.' };

test('an event is published as a valid CloudEvent 1.0 in the binary binding for Kafka', () => {
  const { topic, key, value, headers } = encodeCloudEvent(event, topics);
  expect(topic).toBe('x.orders.v1');
  const message = { key, value, headers, body: value, timestamp: '' };
  const read = CloudEventsKafka.toEvent(message);
  if (!(read instanceof CloudEvent)) throw new Error('exactly one event was expected');
  expect(read.validate()).toBe(true);
  expect(read).toMatchObject({
    id: event.eventId,
    type: 'payment-orchestrator.OrderPaid',
    source: '/payment-orchestrator/order',
    subject: 'ord_1',
    time: '2026-03-01T12:00:00.000Z',
    sequence: '0000000003',
    dataschema: 'urn:payment-orchestrator:schema:OrderPaid:1',
    correlationid: 'ord_1',
    causationid: 'req_1',
    actor: 'saga:checkout',
    platformid: 'shop',
    merchantid: 'mer_1',
    datacontenttype: 'application/json',
  });
  expect(read.data).toEqual(event.data);
});
