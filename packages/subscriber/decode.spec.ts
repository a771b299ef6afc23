import { decodeMessage, decodeStructured, UndecodableMessage } from './decode.js';

const headers = {
  'content-type': 'application/json',
  ce_specversion: '1.0',
  ce_id: '5d0a2b1e-6c1f-4a43-9a57-2d3a5f0f7f11',
  ce_type: 'payment-orchestrator.OrderPaid',
  ce_source: '/payment-orchestrator/order',
  ce_subject: 'ord_1',
  ce_time: '2026-03-01T12:00:00.000Z',
  ce_sequence: '0000000003',
  ce_dataschema: 'urn:payment-orchestrator:schema:OrderPaid:1',
  ce_correlationid: 'ord_1',
  ce_causationid: 'req_1',
  ce_actor: 'saga:checkout',
  ce_platformid: 'shop',
  ce_merchantid: 'mer_1',
};
const data = { paymentId: 'pay_1', amountMinor: 1_200, currency: 'eur' };
const message = { key: 'ord_1', value: JSON.stringify(data), headers };

const event = {
  type: 'OrderPaid',
  streamType: 'order',
  subject: 'ord_1',
  sequence: 3,
  id: headers.ce_id,
  source: '/payment-orchestrator/order',
  time: '2026-03-01T12:00:00.000Z',
  dataschema: 'urn:payment-orchestrator:schema:OrderPaid:1',
  correlationid: 'ord_1',
  causationid: 'req_1',
  actor: 'saga:checkout',
  platformid: 'shop',
  merchantid: 'mer_1',
  traceparent: null,
  data,
};

test('the decoder accepts headers as text and as bytes', () => {
  expect(decodeMessage(message, 'order')).toEqual(event);
  const bytes = Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]),
  );
  const traced = { ...bytes, ce_traceparent: Buffer.from('00-a-b-01') };
  expect(
    decodeMessage(
      { key: Buffer.from('ord_1'), value: Buffer.from(message.value), headers: traced },
      'order',
    ),
  ).toEqual({ ...event, traceparent: '00-a-b-01' });
});

test('the decoder reads the JSON format', () => {
  const attributes = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('ce_'))
      .map(([name, text]) => [name.slice(3), text]),
  );
  const body = { ...attributes, datacontenttype: 'application/json', data };
  expect(decodeStructured(body, 'order')).toEqual(event);
  expect(() => decodeStructured(body, 'payment')).toThrow(UndecodableMessage);
  expect(() => decodeStructured([body], 'order')).toThrow(UndecodableMessage);
  expect(() => decodeStructured({ code: 'event_not_found' }, 'order')).toThrow(UndecodableMessage);
});

test.each([
  ['an unsupported version of CloudEvents', { ce_specversion: '2.0' }],
  ['the source of another stream type', { ce_source: '/payment-orchestrator/payment' }],
  ['a foreign source', { ce_source: '/elsewhere/order' }],
  ['a type of another source', { ce_type: 'OrderPaid' }],
  ['an invalid type name', { ce_type: 'payment-orchestrator.__proto__' }],
  [
    'the schema of another type',
    { ce_dataschema: 'urn:payment-orchestrator:schema:OrderPlaced:1' },
  ],
  ['a schema without a version', { ce_dataschema: 'urn:payment-orchestrator:schema:OrderPaid' }],
  ['a sequence that is not a number', { ce_sequence: 'three' }],
  ['the sequence 0', { ce_sequence: '0000000000' }],
  ['a sequence above the maximum', { ce_sequence: '9999999999' }],
  ['a subject with a slash', { ce_subject: '../ord_1' }],
  ['a subject that differs from the message key', { ce_subject: 'ord_2' }],
  ['an empty id', { ce_id: '' }],
  ['a repeated header', { ce_id: ['a', 'b'] }],
])('the decoder rejects a message with %s', (_what, changes) => {
  const changed = { ...message, headers: { ...headers, ...changes } };
  expect(() => decodeMessage(changed, 'order')).toThrow(UndecodableMessage);
});

const OPTIONAL = ['content-type', 'ce_platformid', 'ce_merchantid'];

test.each(Object.keys(headers).filter((name) => !OPTIONAL.includes(name)))(
  'the decoder rejects a message without %s',
  (name) => {
    const left = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
    expect(() => decodeMessage({ ...message, headers: left }, 'order')).toThrow(UndecodableMessage);
  },
);

test.each([null, '', '{', '[]', '"text"', 'null'])(
  'the decoder rejects a message with the value %j',
  (value) => {
    expect(() => decodeMessage({ ...message, value }, 'order')).toThrow(UndecodableMessage);
  },
);

test('the decoder accepts a message of an earlier release, which names no platform and no merchant', () => {
  const { ce_platformid: _platform, ce_merchantid: _merchant, ...earlier } = headers;
  expect(decodeMessage({ ...message, headers: earlier }, 'order')).toEqual({
    ...event,
    platformid: null,
    merchantid: null,
  });
});
