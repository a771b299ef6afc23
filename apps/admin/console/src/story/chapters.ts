import type { TimelineEntry } from '../entity/entity-types';

/** A line of the story, with its causes. The line is an event, a user action or failing work. */
export interface Chapter {
  readonly entry: TimelineEntry;
  /** The provider requests and webhooks that led to the entry, oldest first. */
  readonly causes: readonly TimelineEntry[];
  /**
   * Earlier events of the same type that this one replaces, oldest first. The story shows no
   * separate lines for them.
   */
  readonly earlier: readonly TimelineEntry[];
}

/**
 * Whether the entry is failed or blocked work. A timeline with such an entry starts with the newest
 * entries, because the newest entries explain the failure.
 */
export const isFailing = ({ kind, data }: TimelineEntry): boolean =>
  (kind === 'job' && (data['state'] === 'stuck' || data['state'] === 'waiting')) ||
  (kind === 'saga' && data['waiting'] !== undefined);

/**
 * Whether the story shows the entry as a separate line. Successful provider requests and webhooks
 * are shown as causes of a line. Deadlines and work that does not fail are shown as pending work
 * instead.
 */
const isLine = (entry: TimelineEntry): boolean =>
  entry.kind === 'event' || entry.kind === 'audit' || isFailing(entry);

const isCause = ({ kind }: TimelineEntry): boolean => kind === 'call' || kind === 'webhook';

/**
 * The event types that record a decision of this service. The other types record what the provider
 * showed.
 */
const DECIDED = /^Order|(?:Requested|Queued|Abandoned|Drafted|Revised)$/;

const isFact = ({ name, actor }: TimelineEntry): boolean =>
  !DECIDED.test(name) && actor?.startsWith('saga:') !== true;

const timeOf = ({ recordedAt, at }: TimelineEntry): string => recordedAt ?? at;

/**
 * The last fact that was recorded in the same step as this fact: one read of the provider may show
 * several facts.
 */
const lastOfStep = (facts: readonly TimelineEntry[], first: TimelineEntry): TimelineEntry =>
  facts.findLast(
    ({ recordedAt, causationId }) =>
      recordedAt === first.recordedAt && causationId === first.causationId,
  ) ?? first;

/** The latest event at or before this time; if there is none, the first event. */
const latestAt = (events: readonly TimelineEntry[], time: string): TimelineEntry | undefined =>
  events.findLast((event) => timeOf(event) <= time) ?? events[0];

/**
 * The event that a webhook caused. It is the event that names the webhook as its cause. If there is
 * none, because one read served several webhooks, it is the latest event when the webhook was
 * handled.
 */
const ofWebhook = (events: readonly TimelineEntry[], webhook: TimelineEntry) => {
  const named = events.filter(({ causationId }) => causationId === webhook.causationId);
  const [first] = named;
  if (first !== undefined) return lastOfStep(named, first);
  const handledAt = webhook.data['handledAt'];
  const received = timeOf(webhook);
  return latestAt(
    events,
    typeof handledAt === 'string' && handledAt > received ? handledAt : received,
  );
};

/**
 * The event under which a provider request is shown. The log does not record from which request an
 * event results. Therefore the request is shown under the next event from the provider after the
 * response, or, if there is none, under the latest event before the request.
 */
const ofCall = (events: readonly TimelineEntry[], call: TimelineEntry) => {
  const facts = events.filter(isFact);
  const next = facts.find((fact) => timeOf(fact) >= timeOf(call));
  return next === undefined ? latestAt(events, timeOf(call)) : lastOfStep(facts, next);
};

/**
 * The event types by which a platform completes a registration. If one of them is between two reads
 * of the missing requirements, the second read still replaces the first in the story.
 */
const ABOUT_MISSING: ReadonlySet<string> = new Set([
  'DetailsRevised',
  'DocumentsUploaded',
  'DocumentRemoved',
  'CompanyStatusConfirmed',
  'SubscriptionLinkAvailable',
]);

/**
 * The next read of the missing requirements, if only the platform has acted in between. It replaces
 * the previous read in the story, because it shows the requirements that are still missing.
 */
const replacedBy = (chapters: readonly Chapter[], index: number): Chapter | undefined => {
  if (chapters[index]?.entry.name !== 'RequirementsObserved') return undefined;
  const next = chapters.slice(index + 1).find(({ entry }) => !ABOUT_MISSING.has(entry.name));
  return next?.entry.name === 'RequirementsObserved' ? next : undefined;
};

/** Moves each replaced read of missing requirements under the read that replaces it. */
const withoutReplaced = (chapters: readonly Chapter[]): readonly Chapter[] => {
  const replaced = new Map<Chapter, Chapter>();
  chapters.forEach((chapter, index) => {
    const next = replacedBy(chapters, index);
    if (next !== undefined) replaced.set(chapter, next);
  });
  const lastOf = (chapter: Chapter): Chapter => {
    const next = replaced.get(chapter);
    return next === undefined ? chapter : lastOf(next);
  };
  return chapters
    .filter((chapter) => !replaced.has(chapter))
    .map((chapter) => {
      const before = [...replaced.keys()].filter((one) => lastOf(one) === chapter);
      return {
        ...chapter,
        causes: [...before.flatMap(({ causes }) => causes), ...chapter.causes],
        earlier: before.map(({ entry }) => entry),
      };
    });
};

/** Groups the provider requests and webhooks of a timeline under the events that they caused. */
export const chaptersOf = (entries: readonly TimelineEntry[]): readonly Chapter[] => {
  const events = entries.filter(({ kind }) => kind === 'event');
  const causes = new Map<string, TimelineEntry[]>();
  for (const entry of entries.filter(isCause)) {
    const event = entry.kind === 'webhook' ? ofWebhook(events, entry) : ofCall(events, entry);
    if (event !== undefined) causes.set(event.id, [...(causes.get(event.id) ?? []), entry]);
  }
  const lines = entries.filter(isLine);
  return withoutReplaced(
    lines.map((entry) => ({ entry, causes: causes.get(entry.id) ?? [], earlier: [] })),
  );
};
