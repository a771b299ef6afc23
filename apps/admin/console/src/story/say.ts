import type { EntityType, TimelineEntry } from '../entity/entity-types';
import { statusWord } from '../entity/status-tone';
import type { Dictionary } from '../i18n/en';
import { noteText } from '../i18n/note-text';
import { requirementText } from '../merchants/requirement';
import { bankReason } from '../payments/bank-reason';
import { methodText } from '../payments/method-text';
import { formatAmount, formatDay, formatMoment } from '../shared/format';
import type { Say } from './sentence';

/** The values that all sentences of a timeline share. */
export interface StoryContext {
  readonly t: Dictionary;
  readonly locale: string;
  /** The currency of the entity; null if it has no amounts. */
  readonly currency: string | null;
  /** All entries of the timeline, because a sentence may refer to an earlier event. */
  readonly entries: readonly TimelineEntry[];
  /** The name of an actor that is not a platform. */
  readonly nameOf: (actor: string) => string;
}

/** The kinds of actors whose names appear in sentences: people and platforms. */
const NAMED = /^(?:user|ops|platform):/;

/** The name of an actor within a sentence; null if the actor is the service or the provider. */
const nameIn = ({ t, nameOf }: StoryContext, actor: string | null): string | null => {
  if (actor === null || !NAMED.test(actor)) return null;
  const [kind, id = ''] = actor.split(/:(.*)/s);
  return kind === 'platform' ? t.story.platform(id) : nameOf(actor);
};

/** Inserts the name into a phrase of the sentence; empty without a name. */
const after = (text: (name: string) => string, name: string | null): string =>
  name === null ? '' : text(name);

/** Who requested the capture: the capture policy of the order, a platform or an operator. */
const requesterOf = (context: StoryContext, captureId: string | undefined): string | null => {
  const request = context.entries.find(
    ({ name, data }) => name === 'CaptureRequested' && data['captureId'] === captureId,
  );
  if (request === undefined) return null;
  const isPolicy = request.data['requestedBy'] === 'policy';
  const { policy, anyPlatform } = context.t.story;
  return isPolicy ? policy : (nameIn(context, request.actor) ?? anyPlatform);
};

/**
 * The message of a rejection. Events of earlier releases contain the provider's whole response,
 * from which the message is taken. In a code, spaces replace the underscores.
 */
const messageIn = (reason: string): string => {
  const message = /^\d{3} \{"error":"([^"]*)"\}$/.exec(reason)?.[1] ?? reason;
  return /^[a-z_]+$/.test(message) ? message.replaceAll('_', ' ') : message;
};

/** The platform's reference of a refund, from the event that requested or queued it. */
const referenceOf = ({ t, entries }: StoryContext, requestId: string | null): string => {
  const request = entries.find(
    ({ data }) => data['requestId'] === requestId && requestId !== null && 'reference' in data,
  );
  const reference = request?.data['reference'];
  return typeof reference === 'string' ? t.story.reference(reference) : '';
};

/** The functions that format the values of an event within its sentence. */
export const sayFor = (context: StoryContext, event: TimelineEntry): Say => {
  const { t, locale, currency, entries } = context;
  const { subjectType, subjectId, actor } = event;
  const money = (minor: number): string =>
    currency === null ? String(minor) : formatAmount(minor, currency, locale);
  const first = entries.find((one) => one.subjectId === subjectId && one.version === 1);
  return {
    money,
    moment: (at) => formatMoment(at, locale),
    day: (day) => formatDay(day, locale),
    total: money(Number(first?.data['amountMinor'] ?? 0)),
    method: (details) =>
      details === undefined
        ? null
        : [
            methodText(t, details),
            details.authentication && t.payment.authentication[details.authentication],
          ]
            .filter(Boolean)
            .join(', '),
    bank: (code) => bankReason(t, code),
    status: (status) => statusWord(t, subjectType as EntityType, status),
    requirement: (item) => requirementText(t, item),
    by: after(t.story.by, nameIn(context, actor)),
    captureBy: (captureId) => after(t.story.by, requesterOf(context, captureId)),
    requester: (captureId) => after(t.story.requestedBy, requesterOf(context, captureId)),
    reason: (reason) => noteText(t, reason) ?? messageIn(reason),
    reference: (requestId) => referenceOf(context, requestId),
  };
};

/** The sentence of an event. For an event type of a newer release, the type's name. */
export const sentenceOf = (context: StoryContext, event: TimelineEntry): string => {
  const { sentences } = context.t;
  if (!Object.hasOwn(sentences, event.name)) return event.name;
  const sentence = sentences[event.name as keyof typeof sentences] as
    | string
    | ((data: TimelineEntry['data'], say: Say) => string);
  return typeof sentence === 'string' ? sentence : sentence(event.data, sayFor(context, event));
};
