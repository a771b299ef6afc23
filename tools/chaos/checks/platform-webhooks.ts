import { isAfter, type RecordedEvent } from '#log';
import type { PlatformWebhookFacts } from '../platform-webhooks.js';
import { type Broken, type Check, groupBy, isLongChaos } from './check.js';

interface Delivery {
  /** The events of the platform that its webhook endpoint must receive. */
  readonly due: readonly RecordedEvent[];
  readonly broken: readonly Broken[];
}

/** Compares the events that the platform's webhook endpoint handled with the event log. */
export const deliveryOf = (
  { endpointId, start, handled }: Pick<PlatformWebhookFacts, 'endpointId' | 'start' | 'handled'>,
  log: readonly RecordedEvent[],
): Delivery => {
  const due = log.filter(
    ({ streamId, metadata, cursor }) =>
      streamId !== endpointId && metadata.platformId !== undefined && isAfter(cursor, start),
  );
  // Gaps in the versions of a stream are allowed, because events of releases without webhook
  // endpoints name no platform and are not sent.
  const versions = groupBy(due, ({ streamId }) => streamId);
  const broken: Broken[] = [];
  const reached = new Map<string, number>();
  const seen = new Set<string>();
  for (const { eventId, streamId, version } of handled) {
    const last = reached.get(streamId) ?? 0;
    const next = versions.get(streamId)?.find((one) => one.version > last)?.version ?? version;
    if (version > next)
      broken.push({ id: eventId, why: `version ${version} arrived before ${next}` });
    reached.set(streamId, Math.max(last, version));
    seen.add(eventId);
  }
  const known = new Set(due.map(({ eventId }) => eventId));
  for (const { eventId: id } of due) {
    if (!seen.has(id)) broken.push({ id, why: 'was committed, but not delivered' });
  }
  for (const id of seen) {
    if (!known.has(id))
      broken.push({ id, why: 'was delivered, but is not an event of the platform' });
  }
  return { due, broken };
};

const everyEventDelivered: Check = {
  invariant: 3,
  name:
    'the platform receives each event at its webhook endpoint, once after de-duplication and in the ' +
    'order of its subject',
  verify: ({ facts }) => {
    const { platformWebhooks: webhooks, log } = facts;
    if (webhooks === null) {
      return { isSkipped: true, figure: 'no webhook endpoint was created', broken: [] };
    }
    const { handled, refused, unanswered, unsigned } = webhooks;
    const { due, broken } = deliveryOf(webhooks, log);
    const isTame = isLongChaos(facts) && (refused === 0 || unanswered === 0);
    const seen = new Set(handled.map(({ eventId }) => eventId)).size;
    const figure =
      `${seen} of ${due.length} events, ${handled.length - seen} repeated, ` +
      `${refused} requests refused, ${unanswered} unanswered`;
    return {
      figure,
      broken: [
        ...unsigned.map((id) => ({ id, why: 'had a wrong signature' })),
        ...broken,
        ...(isTame ? [{ id: 'the run', why: 'no request was refused or left unanswered' }] : []),
      ],
    };
  },
};

export const PLATFORM_WEBHOOK_CHECKS: readonly Check[] = [everyEventDelivered];
