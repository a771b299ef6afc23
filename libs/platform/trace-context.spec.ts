import { holdsCardNumber } from '#kernel';
import { continueTrace, formatTraceparent, parseTraceparent } from './index.js';
import { newSpanId } from './trace-export.js';

const HEADER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a traceparent is written as it was read', () => {
  const trace = parseTraceparent(HEADER);
  expect(trace).toMatchObject({ spanId: 'b7ad6b7169203331', sampled: true });
  expect(trace && formatTraceparent(trace)).toBe(HEADER);
});

test('the next span of a trace has the same trace id and sampling decision', () => {
  const parent = parseTraceparent(HEADER.replace(/01$/, '00'));
  const next = continueTrace(parent);
  expect(next).toMatchObject({ traceId: parent?.traceId, sampled: false });
  expect(next.spanId).not.toBe(parent?.spanId);
});

test.each([undefined, '', 'x', HEADER.toUpperCase(), HEADER.replace(/b7.*31/, '0'.repeat(16))])(
  'an invalid traceparent header starts a new trace: %p',
  (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
    expect(formatTraceparent(continueTrace(undefined))).toMatch(/^00-\w{32}-\w{16}-01$/);
  },
);

// If ids were not regenerated, about ten of these traces would contain a possible card
// number.
test('no generated trace contains a possible card number, even across its fields', () => {
  const parent = parseTraceparent(`00-${'a'.repeat(20)}424242424242-${'b'.repeat(16)}-01`);
  const traces = Array.from({ length: 30_000 }, (_, n) =>
    continueTrace(n % 2 ? parent : undefined),
  );
  expect(traces.map(formatTraceparent).filter(holdsCardNumber)).toEqual([]);
  expect(new Set(traces.map(({ traceId }) => traceId)).size).toBe(15_001);
});

// A span id begins and ends with a letter. Otherwise about twenty spans would contain a possible card
// number.
test('no exported span contains a possible card number, even next to a trace id that begins or ends with digits', () => {
  const traceId = `42424242${'a'.repeat(16)}42424242`;
  const spans = Array.from({ length: 30_000 }, newSpanId);
  const traces = spans.map((spanId) => formatTraceparent({ traceId, spanId, sampled: true }));
  expect(traces.filter(holdsCardNumber)).toEqual([]);
  expect(new Set(spans).size).toBe(30_000);
  expect(spans.every((spanId) => /^[0-9a-f]{16}$/.test(spanId))).toBe(true);
});

test('a trace whose id contains a card number is not continued', () => {
  const traceId = `${'a'.repeat(16)}4242424242424242`;
  const next = continueTrace({ traceId, spanId: 'b'.repeat(16), sampled: false });
  expect(next.traceId).not.toBe(traceId);
});
