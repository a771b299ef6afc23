import { continueTrace, formatTraceparent, parseTraceparent } from './index.js';

const HEADER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a traceparent is read and written as it was', () => {
  const trace = parseTraceparent(HEADER);
  expect(trace).toMatchObject({ spanId: 'b7ad6b7169203331', sampled: true });
  expect(trace && formatTraceparent(trace)).toBe(HEADER);
});

test('the next place keeps the trace and the decision to sample, with a span of its own', () => {
  const parent = parseTraceparent(HEADER.replace(/01$/, '00'));
  const next = continueTrace(parent);
  expect(next).toMatchObject({ traceId: parent?.traceId, sampled: false });
  expect(next.spanId).not.toBe(parent?.spanId);
});

test.each([undefined, '', 'x', HEADER.toUpperCase(), HEADER.replace(/b7.*31/, '0'.repeat(16))])(
  'a header that is not valid starts a new trace: %p',
  (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
    expect(formatTraceparent(continueTrace(undefined))).toMatch(/^00-\w{32}-\w{16}-01$/);
  },
);
