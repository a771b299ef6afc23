import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { parseTraceparent } from './trace-context.js';
import {
  activeTraceId,
  beginRequestSpan,
  continueFrom,
  failActiveSpan,
  inSpan,
  isTracing,
  noteSpan,
  traceWith,
} from './tracing.js';

const ORDER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const OTHER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const [orderTrace, otherTrace] = [ORDER, OTHER].map((text) => parseTraceparent(text)?.traceId);

const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
}).getTracer('spec');
const exported = () =>
  exporter.getFinishedSpans().map(({ name, parentSpanContext, links, status, attributes }) => ({
    name,
    parentId: parentSpanContext?.spanId,
    links: links.map((link) => link.context.traceId),
    failed: status.code === 2 ? attributes['error.type'] : undefined,
  }));

describe('without an exporter', () => {
  test('no span is created, and the work runs unchanged', async () => {
    expect(isTracing()).toBe(false);
    expect(await inSpan({ name: 'job', parent: ORDER }, async (span) => span)).toBeNull();
    await expect(inSpan({ name: 'job' }, () => Promise.reject(new Error('x')))).rejects.toThrow();
    noteSpan({ name: 'commit', parent: ORDER }, Date.now());
    failActiveSpan('timeout');
    expect(beginRequestSpan('POST', '/v1/orders', parseTraceparent(ORDER))).toBeNull();
  });

  test('events keep the trace of their stream, and log lines contain no trace id', () => {
    expect(continueFrom(ORDER)).toBe(ORDER);
    expect(continueFrom(null)).toBeNull();
    expect(activeTraceId()).toBeUndefined();
  });
});

describe('with an exporter', () => {
  beforeEach(() => {
    exporter.reset();
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    traceWith(tracer);
  });
  afterEach(() => {
    traceWith(null);
    context.disable();
  });

  test('a span continues the trace of its cause, and spans inside it are its children', async () => {
    await inSpan({ name: 'job', parent: ORDER }, async (job) => {
      expect(activeTraceId()).toBe(orderTrace);
      expect(parseTraceparent(continueFrom(ORDER) ?? '')?.spanId).toBe(job?.spanContext().spanId);
      await inSpan({ name: 'call' }, async () => undefined);
      noteSpan({ name: 'commit' }, Date.now());
    });
    const [call, commit, job] = exported();
    expect(job).toMatchObject({ name: 'job', parentId: 'b7ad6b7169203331', links: [] });
    expect(call?.parentId).toBe(commit?.parentId);
    expect(exporter.getFinishedSpans()[2]?.spanContext().spanId).toBe(call?.parentId);
  });

  test('work that a poll does for an order is in the trace of the order, and linked to the poll', async () => {
    await inSpan({ name: 'poll', parent: OTHER }, async () => {
      expect(continueFrom(ORDER)).toBe(ORDER);
      noteSpan({ name: 'commit', parent: ORDER }, Date.now());
    });
    expect(exported()[0]).toMatchObject({ parentId: 'b7ad6b7169203331', links: [otherTrace] });
  });

  test('a span of failed work has the name of the error, not its message', async () => {
    const error = new RangeError('card 4242');
    await expect(inSpan({ name: 'job' }, () => Promise.reject(error))).rejects.toBe(error);
    await inSpan({ name: 'call' }, async () => failActiveSpan('timeout'));
    expect(exported().map(({ failed }) => failed)).toEqual(['RangeError', 'timeout']);
    expect(JSON.stringify(exporter.getFinishedSpans().map((span) => span.events))).toBe('[[],[]]');
  });

  test('the span of a request fails if the response is a 5xx', () => {
    for (const status of [201, 422, 503]) {
      beginRequestSpan('POST', '/v1/orders', parseTraceparent(ORDER))?.end(status);
    }
    const codes = exporter.getFinishedSpans().map(({ status }) => status.code);
    expect(codes).toEqual([0, 0, 2]);
  });
});
