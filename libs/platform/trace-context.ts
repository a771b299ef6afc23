import { holdsCardNumber, randomHex } from '#kernel';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/** One span of a distributed trace, as in W3C Trace Context. */
export interface TraceContext {
  /** The trace's id: 32 lower-case hex digits. */
  readonly traceId: string;
  /** The span's id: 16 lower-case hex digits. */
  readonly spanId: string;
  readonly sampled: boolean;
}

/** Parses a `traceparent` header of version 00; undefined if it is missing or invalid. */
export const parseTraceparent = (header: string | undefined): TraceContext | undefined => {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

export const formatTraceparent = (trace: TraceContext): string =>
  `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? '01' : '00'}`;

/**
 * The next span: in the caller's trace if there is one, otherwise in a new, sampled trace. Because
 * the span is published with every event, ids are regenerated until they contain no possible card
 * number.
 */
export const continueTrace = (parent: TraceContext | undefined): TraceContext => {
  const isAccepted = parent !== undefined && !holdsCardNumber(`00-${parent.traceId}`);
  for (;;) {
    const trace = {
      traceId: isAccepted ? parent.traceId : randomHex(16),
      spanId: randomHex(8),
      sampled: isAccepted ? parent.sampled : true,
    };
    if (!holdsCardNumber(formatTraceparent(trace))) return trace;
  }
};
