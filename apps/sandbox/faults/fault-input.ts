import { randomText } from '#kernel';
import { canonicalUrl } from '../api/addresses.js';
import { invalid } from '../api/api-error.js';
import { checkedBody } from '../api/checked.js';
import { EVENT_TYPES } from '../storage/event-types.js';
import {
  CALL_FAULTS,
  type CallFaultKind,
  type CallTarget,
  type EventTarget,
  type FaultPlan,
  WEBHOOK_FAULTS,
  type WebhookFaultKind,
} from './fault.js';

/** A fault for API calls has a `route`, a fault for webhooks has an `event`. */
interface FaultBody {
  readonly route?: string;
  readonly event?: EventTarget;
  readonly kind: CallFaultKind | WebhookFaultKind;
  readonly count?: number;
  readonly rate?: number;
  readonly seed?: string | number;
  readonly delay_ms?: number;
}

export type NewFault =
  | { readonly on: 'calls'; readonly plan: FaultPlan<CallTarget, CallFaultKind> }
  | { readonly on: 'webhooks'; readonly plan: FaultPlan<EventTarget, WebhookFaultKind> };

const OBJECTS = [...new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.'))))];

/** The valid values of `event`. */
export const EVENT_TARGETS: readonly EventTarget[] = [
  '*',
  ...OBJECTS.map((object): EventTarget => `${object}.*`),
  ...EVENT_TYPES,
];

const MAX_CALL_DELAY_MS = 120_000;
const DEFAULT_CALL_DELAY_MS = 1_000;
const DEFAULT_WEBHOOK_DELAY_MS = 60_000;

const faultBody = checkedBody<FaultBody>({
  required: ['kind'],
  properties: {
    route: {
      type: 'string',
      maxLength: 200,
      pattern: '^(\\*|(GET|POST|PUT|PATCH|DELETE) /(v2|api/partners)/\\S+)$',
    },
    event: { enum: EVENT_TARGETS },
    kind: { enum: [...new Set([...CALL_FAULTS, ...WEBHOOK_FAULTS])] },
    count: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    rate: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    seed: { anyOf: [{ type: 'string', minLength: 1, maxLength: 64 }, { type: 'integer' }] },
    delay_ms: { type: 'integer', minimum: 1, maximum: 86_400_000 },
  },
});

/**
 * The canonical name of a route, e.g. `POST /v2/payment_intents/:id/capture`; every path parameter
 * becomes `:id`.
 */
export const routeName = (method: string, path: string): string =>
  `${method} ${canonicalUrl(path).replace(/\{[^/}]+\}|:[A-Za-z_]+/g, ':id')}`;

const routeOf = (written: string): string => {
  const [method = '', path] = written.split(' ');
  return path === undefined ? '*' : routeName(method, path);
};

const isOneOf = <Kind extends string>(kinds: readonly Kind[], kind: string): kind is Kind =>
  kinds.some((known) => known === kind);

const wrongKind = (kinds: readonly string[]): Error =>
  invalid({
    loc: ['body', 'kind'],
    msg: `Input should be one of ${kinds.join(', ')}`,
    type: 'enum',
  });

/**
 * How often a fault applies: `count` times. Without `count`: once, or, for a fault with a `rate`,
 * until it is cleared.
 */
const timesOf = ({ count, rate, seed }: FaultBody) => ({
  count: count ?? (rate === undefined ? 1 : null),
  rate: rate ?? 1,
  seed: seed === undefined ? randomText(8) : String(seed),
});

/** Validates a new fault; throws `ApiError` 422. */
export const readFault = (input: unknown): NewFault => {
  const body = faultBody.read(input);
  const { route, event, kind, delay_ms: delayMs } = body;
  if (route !== undefined && event === undefined) {
    if (!isOneOf(CALL_FAULTS, kind)) throw wrongKind(CALL_FAULTS);
    const wait = delayMs ?? DEFAULT_CALL_DELAY_MS;
    if (wait > MAX_CALL_DELAY_MS) {
      const msg = `Input should be less than or equal to ${MAX_CALL_DELAY_MS} for a call`;
      throw invalid({ loc: ['body', 'delay_ms'], msg, type: 'less_than_equal' });
    }
    const plan = { target: routeOf(route), kind, delayMs: wait, ...timesOf(body) };
    return { on: 'calls', plan };
  }
  if (event === undefined || route !== undefined) {
    const msg = 'Send either `route`, for faults of API calls, or `event`, for faults of webhooks';
    throw invalid({ loc: ['body', 'route'], msg, type: 'value_error' });
  }
  if (!isOneOf(WEBHOOK_FAULTS, kind)) throw wrongKind(WEBHOOK_FAULTS);
  const wait = delayMs ?? DEFAULT_WEBHOOK_DELAY_MS;
  return { on: 'webhooks', plan: { target: event, kind, delayMs: wait, ...timesOf(body) } };
};
