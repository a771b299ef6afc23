import {
  type Aggregate,
  assert,
  type Change,
  type DeadlineChange,
  type EffectRequest,
  type EventMap,
  type FollowUps,
  type Instant,
  mapEvent,
  plusMs,
  type Upcaster,
} from '#kernel';
import { REREAD_DAYS } from './history-windows.js';
import type { MerchantCommand } from './merchant-command.js';
import { merchantDecider } from './merchant-decider.js';
import type { MerchantCall, MerchantEvent, MerchantMode } from './merchant-event.js';
import { isRegistered, type Merchant } from './merchant.js';
import { addDays } from './paris-day.js';
import { newestOf } from './sighting.js';
import { UPCASTS } from './upcasts.js';

/** What is read at the provider of a merchant, each by a deadline whose key is the merchant's id. */
export const MERCHANT_READS = [
  'merchant.company',
  'merchant.requirements',
  'merchant.terminals',
] as const;

export type MerchantRead = (typeof MERCHANT_READS)[number];

/** When it fires, the details of a merchant, whose id is its key, are erased. */
export const ERASE_DETAILS_DEADLINE = 'merchant.erase_details';

/** Calls of merchants at the provider: those of unknown outcome, and a read that is made once. */
export type MerchantEffect = MerchantCall | 'fetch_keys';

/** Intent before effect: which event asks for a call to the provider, and for exactly one. */
const CALLS: Readonly<Record<MerchantEvent['type'], MerchantEffect | 'ignored'>> = {
  RegistrationRequested: 'create_company',
  KeysRequested: 'fetch_keys',
  TerminalRequested: 'order_terminal',
  TerminalCancelRequested: 'cancel_terminal',
  MerchantDrafted: 'ignored',
  DetailsRevised: 'ignored',
  RegistrationRejected: 'ignored',
  RegistrationFoundAbsent: 'ignored',
  CompanyRegistered: 'ignored',
  CompanyAccountFound: 'ignored',
  CompanyStatusChanged: 'ignored',
  CompanyStatusConfirmed: 'ignored',
  EarlierStatusFound: 'ignored',
  RequirementsObserved: 'ignored',
  SubscriptionLinkOffered: 'ignored',
  DocumentsUploaded: 'ignored',
  DocumentRemoved: 'ignored',
  AccountAttached: 'ignored',
  MerchantOpened: 'ignored',
  MerchantClosed: 'ignored',
  TerminalOrdered: 'ignored',
  TerminalOrderRejected: 'ignored',
  TerminalObserved: 'ignored',
  CompanyCallUnknown: 'ignored',
  CompanyCallSettled: 'ignored',
  CompanyFellSilent: 'ignored',
  PersonalDataErased: 'ignored',
  CompanyMismatchObserved: 'ignored',
  CompanyMismatchesReviewed: 'ignored',
};

/** In the place of a provider account: the partner's own key of this mode makes the call. */
export const partnerAccount = (mode: MerchantMode): string => `partner:${mode}`;

type EarlierStatus = Extract<MerchantEvent, { type: 'EarlierStatusFound' }>;

const TERMINALS = ':terminals';

/**
 * Jobs of one subject run one after another. Those for terminals have a subject of their own: an
 * order of unknown outcome, which may wait for a person, must not keep the keys from a merchant.
 */
export const subjectOfCall = (id: string, kind: MerchantEffect): string => {
  switch (kind) {
    case 'create_company':
    case 'fetch_keys':
      return id;
    case 'order_terminal':
    case 'cancel_terminal':
      return `${id}${TERMINALS}`;
  }
};

/** The merchant for whom a job of this subject calls. */
export const merchantOfSubject = (subjectId: string): string =>
  subjectId.endsWith(TERMINALS) ? subjectId.slice(0, -TERMINALS.length) : subjectId;

/**
 * When to read a company of which an earlier fact shows another status than the newest. The newest
 * may be a reading under a clock that was ahead: then only one made after it can put that right.
 * Facts of days long past are those of an absence that is caught up, and need no reading.
 */
const rereadAt = (merchant: Merchant, earlierFact: EarlierStatus): Instant | null => {
  const newest = isRegistered(merchant) ? newestOf(merchant.sightings) : undefined;
  assert(newest, 'what is earlier is so than something');
  const { day, status, at } = earlierFact;
  if (status === newest.status || day < addDays(newest.day, -REREAD_DAYS)) return null;
  const afterNewest = plusMs(newest.readAt, 1);
  return at < afterNewest ? afterNewest : at;
};

const readTerminals = ({ at }: MerchantEvent, id: string): readonly DeadlineChange[] => [
  { kind: 'merchant.terminals', key: id, dueAt: at },
];

/**
 * After which events the merchant is read. A row of the history tells a day, and of several changes
 * the last one: the company itself says how it stands now (ADR 8). Terminals are looked at when one
 * of them has been asked for.
 */
const READS: EventMap<MerchantEvent, [id: string, after: Merchant], readonly DeadlineChange[]> = {
  EarlierStatusFound: (event, id, after) => {
    const dueAt = rereadAt(after, event);
    return dueAt === null ? [] : [{ kind: 'merchant.company', key: id, dueAt }];
  },
  CompanyStatusChanged: ({ source, at }, id) =>
    source === 'history' ? [{ kind: 'merchant.company', key: id, dueAt: at }] : [],
  TerminalOrdered: readTerminals,
  TerminalCancelRequested: readTerminals,
  MerchantDrafted: 'ignored',
  DetailsRevised: 'ignored',
  RegistrationRequested: 'ignored',
  RegistrationRejected: 'ignored',
  RegistrationFoundAbsent: 'ignored',
  CompanyRegistered: 'ignored',
  CompanyAccountFound: 'ignored',
  CompanyStatusConfirmed: 'ignored',
  RequirementsObserved: 'ignored',
  SubscriptionLinkOffered: 'ignored',
  DocumentsUploaded: 'ignored',
  DocumentRemoved: 'ignored',
  KeysRequested: 'ignored',
  AccountAttached: 'ignored',
  MerchantOpened: 'ignored',
  MerchantClosed: 'ignored',
  TerminalRequested: 'ignored',
  TerminalOrderRejected: 'ignored',
  TerminalObserved: 'ignored',
  CompanyCallUnknown: 'ignored',
  CompanyCallSettled: 'ignored',
  CompanyFellSilent: 'ignored',
  PersonalDataErased: 'ignored',
  CompanyMismatchObserved: 'ignored',
  CompanyMismatchesReviewed: 'ignored',
};

const followUps = ({ id, after, events }: Change<Merchant, MerchantEvent>): FollowUps => {
  assert(after.status !== 'none', 'an event makes a merchant');
  const accountId = partnerAccount(after.terms.mode);
  const effects = events.flatMap(({ eventId, event }): EffectRequest[] => {
    const kind = CALLS[event.type];
    if (kind === 'ignored') return [];
    const subjectId = subjectOfCall(id, kind);
    return [{ jobId: eventId, kind, subjectId, accountId, askedAt: event.at }];
  });
  return {
    effects,
    deadlines: events.flatMap(({ event }) => mapEvent(READS, [], event, id, after)),
  };
};

/** The events that this release can read. */
const UPCASTERS: Readonly<Record<MerchantEvent['type'], readonly Upcaster[]>> = {
  MerchantDrafted: [],
  RegistrationRequested: [],
  RegistrationFoundAbsent: [],
  CompanyRegistered: [],
  CompanyAccountFound: [],
  SubscriptionLinkOffered: [],
  DocumentRemoved: [],
  KeysRequested: [],
  AccountAttached: [],
  MerchantOpened: [],
  TerminalRequested: [],
  TerminalOrdered: [],
  TerminalCancelRequested: [],
  CompanyCallUnknown: [],
  CompanyCallSettled: [],
  PersonalDataErased: [],
  CompanyMismatchesReviewed: [],
  ...UPCASTS,
};

export const merchantAggregate: Aggregate<Merchant, MerchantCommand, MerchantEvent> = {
  streamType: 'merchant',
  decider: merchantDecider,
  upcasters: UPCASTERS,
  followUps,
};
