import { isAfter } from '#log';
import { type Broken, type Check, isLongChaos } from './check.js';

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
    const { endpointId, start, handled, refused, unanswered, unsigned } = webhooks;
    const due = log.filter(
      ({ streamId, metadata, cursor }) =>
        streamId !== endpointId && metadata.platformId !== undefined && isAfter(cursor, start),
    );
    const broken: Broken[] = unsigned.map((id) => ({ id, why: 'had a wrong signature' }));
    const firsts = new Map(
      due.map(({ streamId, version }) => [streamId, version] as const).reverse(),
    );
    const reached = new Map<string, number>();
    const seen = new Set<string>();
    for (const { eventId, streamId, version } of handled) {
      const next = (reached.get(streamId) ?? (firsts.get(streamId) ?? 1) - 1) + 1;
      if (version > next)
        broken.push({ id: eventId, why: `version ${version} arrived before ${next}` });
      reached.set(streamId, Math.max(next - 1, version));
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
    const isTame = isLongChaos(facts) && (refused === 0 || unanswered === 0);
    if (isTame) broken.push({ id: 'the run', why: 'no request was refused or left unanswered' });
    const repeated = handled.length - seen.size;
    const figure =
      `${seen.size} of ${due.length} events, ${repeated} repeated, ` +
      `${refused} requests refused, ${unanswered} unanswered`;
    return { figure, broken };
  },
};

export const PLATFORM_WEBHOOK_CHECKS: readonly Check[] = [everyEventDelivered];
