import {
  type Attributes,
  type Context,
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { formatTraceparent, parseTraceparent, type TraceContext } from './trace-context.js';

/**
 * A span to be recorded. Its name has few different values. Neither name nor attributes may contain
 * personal data, secrets, paths with values, or texts of a request: ids and types only.
 */
export interface SpanInfo {
  readonly name: string;
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  /**
   * The `traceparent` of the span that caused this one; null or undefined: the active span. If it
   * belongs to another trace than the active span, the active span is linked.
   */
  readonly parent?: string | null | undefined;
  readonly attributes?: Attributes;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Creates spans while this process exports them; null: nothing is recorded. */
let tracer: Tracer | null = null;

/** From now on spans are created by this tracer; null: no spans are created. */
export const traceWith = (next: Tracer | null): void => {
  tracer = next;
};

/** Whether this process exports spans. */
export const isTracing = (): boolean => tracer !== null;

const traceOf = ({ traceId, spanId, traceFlags }: SpanContext): TraceContext => ({
  traceId,
  spanId,
  sampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
});

const contextAfter = ({ traceId, spanId, sampled }: TraceContext): Context =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });

const begin = (
  by: Tracer,
  { name, kind, parent, attributes = {} }: SpanInfo,
  startTime?: number,
): Span => {
  const active = trace.getSpanContext(context.active());
  const cause = parseTraceparent(parent ?? undefined);
  const isOther = cause !== undefined && active !== undefined && cause.traceId !== active.traceId;
  const links: Link[] = isOther ? [{ context: active }] : [];
  return by.startSpan(
    name,
    {
      ...(kind === undefined ? {} : { kind: KINDS[kind] }),
      ...(startTime === undefined ? {} : { startTime }),
      attributes,
      links,
    },
    cause === undefined ? context.active() : contextAfter(cause),
  );
};

/** The message of an error may contain data of a request, so only the error's name is exported. */
const fail = (span: Span, error: Error | string): void => {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', error instanceof Error ? error.name : error);
};

/**
 * Runs `work` in a span, which is the active span of everything that `work` calls. The span fails
 * if `work` rejects.
 */
export const inSpan = async <T>(
  info: SpanInfo,
  work: (span: Span | null) => Promise<T>,
): Promise<T> => {
  if (tracer === null) return work(null);
  const span = begin(tracer, info);
  try {
    return await context.with(trace.setSpan(context.active(), span), () => work(span));
  } catch (error) {
    fail(span, error instanceof Error ? error : 'unknown');
    throw error;
  } finally {
    span.end();
  }
};

/** Records a span that began at `startedMs`, a Unix time, and ends now. */
export const noteSpan = (info: SpanInfo, startedMs: number): void => {
  if (tracer !== null) begin(tracer, info, startedMs).end();
};

/** Marks the active span as failed; `error` is an error or a short code. */
export const failActiveSpan = (error: Error | string): void => {
  const span = tracer === null ? undefined : trace.getActiveSpan();
  if (span !== undefined) fail(span, error);
};

/** The trace id of the active span. */
export const activeTraceId = (): string | undefined =>
  tracer === null ? undefined : trace.getActiveSpan()?.spanContext().traceId;

/**
 * The `traceparent` of work that continues the trace of `previous`. It is that of the active span
 * if the span belongs to this trace, or if there is no previous trace; otherwise it is `previous`.
 */
export const continueFrom = (previous: string | null): string | null => {
  const active = tracer === null ? undefined : trace.getActiveSpan();
  if (active === undefined) return previous;
  const span = traceOf(active.spanContext());
  const isSame = previous === null || parseTraceparent(previous)?.traceId === span.traceId;
  return isSame ? formatTraceparent(span) : previous;
};

/** The span of an HTTP request, from its start until its response has ended. */
export interface RequestSpan {
  readonly trace: TraceContext;
  /** Calls `handle`, in which the span is active. */
  run(handle: () => void): void;
  end(status: number): void;
}

/** Begins the span of a request in the caller's trace; null if nothing is recorded. */
export const beginRequestSpan = (
  method: string,
  route: string,
  caller: TraceContext | undefined,
): RequestSpan | null => {
  if (tracer === null) return null;
  const parent = caller === undefined ? ROOT_CONTEXT : contextAfter(caller);
  const attributes = { 'http.request.method': method, 'http.route': route };
  const name = `${method} ${route}`;
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
  return {
    trace: traceOf(span.spanContext()),
    run: (handle) => context.with(trace.setSpan(context.active(), span), handle),
    end: (status) => {
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
};
