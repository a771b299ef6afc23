import { assert } from '#kernel';
import type { ReceivedSpan } from './otlp-receiver.js';
import type { DrawnSpan } from './trace-picture.js';

/** A span that the trace of a paid and captured order must have. */
interface Expected {
  readonly app: 'api' | 'worker';
  readonly name: string;
  /**
   * An event type in the span's attributes, by which the span is found among others of the same
   * name.
   */
  readonly event?: string;
  /** The index of the parent span in the list; null if the parent is not checked. */
  readonly parent: number | null;
  /** Whether the span ends before its parent ends. */
  readonly isInside?: true;
}

const REQUEST = 0;
const CREATE = 4;
const READ = 8;
const CAPTURE = 11;

/** The expected spans, in the order of their start times. */
export const STORY: readonly Expected[] = [
  { app: 'api', name: 'POST /v1/orders', parent: null },
  { app: 'api', name: 'commit', event: 'OrderPlaced', parent: REQUEST, isInside: true },
  { app: 'worker', name: 'send orders.v1', event: 'OrderPlaced', parent: REQUEST },
  { app: 'worker', name: 'POST webhook endpoint', event: 'OrderPlaced', parent: REQUEST },
  { app: 'worker', name: 'job create_intent', parent: REQUEST },
  { app: 'worker', name: 'POST /v2/payment_intents/', parent: CREATE, isInside: true },
  { app: 'worker', name: 'commit', event: 'IntentCreated', parent: CREATE, isInside: true },
  { app: 'api', name: 'webhook payment_intent.authorized', parent: null },
  { app: 'worker', name: 'job intent.read', parent: CREATE },
  { app: 'worker', name: 'GET /v2/payment_intents/{id}', parent: READ, isInside: true },
  { app: 'worker', name: 'commit', event: 'PaymentAuthorized', parent: READ, isInside: true },
  { app: 'worker', name: 'job capture', parent: READ },
  {
    app: 'worker',
    name: 'POST /v2/payment_intents/{id}/capture',
    parent: CAPTURE,
    isInside: true,
  },
  { app: 'worker', name: 'commit', event: 'OrderPaid', parent: CAPTURE, isInside: true },
  { app: 'worker', name: 'send orders.v1', event: 'OrderPaid', parent: CAPTURE },
  { app: 'worker', name: 'POST webhook endpoint', event: 'OrderPaid', parent: CAPTURE },
  { app: 'worker', name: 'commit', event: 'CaptureSent', parent: CAPTURE },
  { app: 'worker', name: 'commit', event: 'PaymentCaptured', parent: CAPTURE },
];

/** The span's name without the prefix of the spec's topics. */
const nameOf = ({ name }: ReceivedSpan): string => name.replace(/^send .*?\./, 'send ');

const eventsOf = ({ attributes }: ReceivedSpan): readonly string[] => {
  const types = attributes['events.types'] ?? [attributes['event.type'] ?? ''];
  return (types as readonly string[]).map((type) => type.replace(/^.*\./, ''));
};

const isLike = (span: ReceivedSpan, { app, name, event }: Expected): boolean =>
  span.service === `payment-orchestrator-${app}` &&
  nameOf(span) === name &&
  (event === undefined || eventsOf(span).includes(event));

/**
 * Whether a child of the span has recorded the event. An order may have several reads, because
 * earlier webhooks may have caused reads that found nothing new. Only the read that found the
 * authorization has such a child.
 */
const hasChild = (spans: readonly ReceivedSpan[], { spanId }: ReceivedSpan, event: string) =>
  spans.some((one) => one.parentId === spanId && eventsOf(one).includes(event));

/**
 * Returns the received span for each expected span. Throws if a span is missing or has another
 * parent.
 */
export const foundIn = (spans: readonly ReceivedSpan[]): readonly ReceivedSpan[] => {
  const found: ReceivedSpan[] = [];
  for (const [index, expected] of STORY.entries()) {
    const parent = expected.parent === null ? null : found[expected.parent];
    const span = spans.find(
      (one) =>
        isLike(one, expected) &&
        (parent === null || one.parentId === parent?.spanId) &&
        (index !== READ || hasChild(spans, one, 'PaymentAuthorized')),
    );
    const { name, event } = expected;
    assert(span !== undefined, `the trace has ${name} ${event ?? ''} with the expected parent`);
    found.push(span);
  }
  return found;
};

/**
 * The received spans in the form of the picture. A span whose parent is not among them is drawn
 * below the first span. Each span shows at most the one event that STORY names, because a commit
 * may contain several events.
 */
export const drawn = (found: readonly ReceivedSpan[]): readonly DrawnSpan[] =>
  found.map((span, index) => {
    const parent = found.findIndex(({ spanId }) => spanId === span.parentId);
    const event = eventsOf(span).find((one) => one === STORY[index]?.event);
    return {
      app: span.service.endsWith('-api') ? 'api' : 'worker',
      label: event === undefined ? nameOf(span) : `${nameOf(span)} · ${event}`,
      parent: index === REQUEST ? null : Math.max(parent, REQUEST),
      isInside: STORY[index]?.isInside ?? false,
    };
  });
