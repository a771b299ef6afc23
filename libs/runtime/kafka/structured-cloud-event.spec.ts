import { CloudEvent, HTTP } from 'cloudevents';
import type { RecordedEvent } from '#log';
import { encodeCloudEvent, STRUCTURED_MEDIA_TYPE, structuredCloudEvent } from './index.js';

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

test('a structured event is a valid CloudEvent 1.0 in JSON format', () => {
  const body = JSON.stringify(structuredCloudEvent(event));
  const read = HTTP.toEvent({ headers: { 'content-type': STRUCTURED_MEDIA_TYPE }, body });
  if (!(read instanceof CloudEvent)) throw new Error('one event was expected');
  expect(read.validate()).toBe(true);
  expect(read).toMatchObject({ id: event.eventId, type: 'payment-orchestrator.OrderPaid' });
  expect(read.data).toEqual(event.data);
});

test('a structured event contains exactly the attributes and the data of the Kafka message', () => {
  const { headers: sent, value } = encodeCloudEvent(event, { prefix: '' });
  const { traceparent, ...headers } = sent;
  expect(traceparent).toBe(headers['ce_traceparent']);
  const { data, datacontenttype, ...attributes } = structuredCloudEvent(event);
  expect(data).toEqual(JSON.parse(value));
  expect(datacontenttype).toBe(headers['content-type']);
  const named = Object.entries(attributes).map(([name, text]) => [`ce_${name}`, text]);
  expect({ 'content-type': datacontenttype, ...Object.fromEntries(named) }).toEqual(headers);
});
