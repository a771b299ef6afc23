import {
  type Aggregate,
  assert,
  type Change,
  type DeadlineChange,
  type EffectRequest,
  type EventMap,
  type FollowUps,
  ignored,
  type Instant,
  mapEvent,
  plusMs,
  renameFields,
  type Upcaster,
} from '#kernel';
import { REREAD_DAYS } from './history-windows.js';
import type { MerchantCommand } from './merchant-command.js';
import { merchantDecider } from './merchant-decider.js';
import type { MerchantCall, MerchantEvent, MerchantMode } from './merchant-event.js';
import { isRegistered, type Merchant } from './merchant.js';
import { addDays } from './paris-day.js';
import { newestOf } from './status-observation.js';
import { terminalsReadAfterDays } from './terminals.js';
import { UPCASTS } from './upcasts.js';

/**
 * The kinds of reads of a merchant from the provider. Each read is started by a deadline whose key
 * is the merchant's id.
 */
export const MERCHANT_READS = [
  'merchant.company',
  'merchant.requirements',
  'merchant.terminals',
] as const;

export type MerchantRead = (typeof MERCHANT_READS)[number];

/**
 * The kind of the deadline at which a merchant's details are erased; its key is the merchant's id.
 */
export const ERASE_DETAILS_DEADLINE = 'merchant.erase_details';

/**
 * The requests to the provider for merchants. Writes may have an unknown result; `fetch_keys` only
 * reads.
 */
export type MerchantEffect = MerchantCall | 'fetch_keys';

/**
 * The account id of requests that use the partner's API key of this mode, because the merchant has
 * no provider account yet.
 */
export const partnerAccount = (mode: MerchantMode): string => `partner:${mode}`;

type EarlierStatus = Extract<MerchantEvent, { type: 'EarlierStatusObserved' }>;

const TERMINALS = ':terminals';

/**
 * The subject of a job; jobs of one subject run one after another. The jobs of payment terminals
 * have a separate subject. Otherwise a terminal order that waits for an operator, because its
 * result is unknown, would delay the reading of the merchant's API keys.
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

/** The id of the merchant to which a job's subject belongs. */
export const merchantOfSubject = (subjectId: string): string =>
  subjectId.endsWith(TERMINALS) ? subjectId.slice(0, -TERMINALS.length) : subjectId;

/**
 * The time of a further read of the company, after an observation with a different status arrived
 * that is older than the newest observation. The further read is needed because the time of the
 * newest observation may come from a clock that was ahead, and only a read with a later time can
 * replace that observation. Null if no read is needed: the statuses are equal, or the older
 * observation is several days older, because it comes from a poll run after days without polling.
 */
const rereadAt = (merchant: Merchant, earlierFact: EarlierStatus): Instant | null => {
  const newest = isRegistered(merchant) ? newestOf(merchant.statusObservations) : undefined;
  assert(newest, 'an older observation follows a recorded newer observation');
  const { day, status, at } = earlierFact;
  if (status === newest.status || day < addDays(newest.day, -REREAD_DAYS)) return null;
  const afterNewest = plusMs(newest.readAt, 1);
  return at < afterNewest ? afterNewest : at;
};

interface FollowUp {
  /** The provider request that the event records before the request is sent. */
  readonly call?: MerchantEffect;
  readonly reads?: readonly MerchantRead[];
  /** When to start the reads; immediately if absent. */
  readonly dueAt?: Instant;
}

/**
 * The requests and reads that follow from each event. A row of the status history shows a day
 * without a time and only the last change of that day, so the company is read afterwards for its
 * current status (ADR 8). The list of terminals is read after a terminal was ordered, and when the
 * contract ends, because the merchant then returns or keeps its terminals.
 */
const FOLLOW_UPS: EventMap<MerchantEvent, [after: Merchant], FollowUp> = {
  RegistrationRequested: () => ({ call: 'create_company' }),
  CompanyKeysRequested: () => ({ call: 'fetch_keys' }),
  TerminalRequested: () => ({ call: 'order_terminal' }),
  TerminalOrdered: () => ({ reads: ['merchant.terminals'] }),
  TerminalCancelRequested: () => ({ call: 'cancel_terminal', reads: ['merchant.terminals'] }),
  EarlierStatusObserved: (event, after) => {
    const dueAt = rereadAt(after, event);
    return dueAt === null ? {} : { reads: ['merchant.company'], dueAt };
  },
  CompanyStatusChanged: ({ source, status }, after) => {
    const ends = status === 'closing' || status === 'closed';
    const terminals = ends && isRegistered(after) && terminalsReadAfterDays(after) !== null;
    return {
      reads: [
        ...(source === 'history' ? (['merchant.company'] as const) : []),
        ...(terminals ? (['merchant.terminals'] as const) : []),
      ],
    };
  },
  ...ignored('MerchantDrafted', 'DetailsRevised', 'RegistrationRejected', 'RegistrationNotFound'),
  ...ignored('CompanyRegistered', 'CompanyAccountObserved', 'CompanyStatusConfirmed'),
  ...ignored('RequirementsObserved', 'SubscriptionLinkAvailable', 'DocumentsUploaded'),
  ...ignored('DocumentRemoved', 'AccountAttached', 'MerchantEnabled', 'MerchantDisabled'),
  ...ignored('TerminalOrderRejected', 'TerminalObserved', 'CompanyRequestResultUnknown'),
  ...ignored('CompanyRequestResultResolved', 'CompanyStatusOverdue', 'PersonalDataErased'),
  ...ignored('CompanyMismatchObserved', 'CompanyMismatchesReviewed'),
};

const followUps = ({ id, after, events }: Change<Merchant, MerchantEvent>): FollowUps => {
  assert(after.status !== 'none', 'a merchant with an event exists');
  const accountId = partnerAccount(after.terms.mode);
  const effects: EffectRequest[] = [];
  const deadlines: DeadlineChange[] = [];
  for (const { eventId, event } of events) {
    const { call: kind, reads = [], dueAt = event.at } = mapEvent(FOLLOW_UPS, {}, event, after);
    if (kind !== undefined) {
      const subjectId = subjectOfCall(id, kind);
      effects.push({ jobId: eventId, kind, subjectId, accountId, askedAt: event.at });
    }
    for (const read of reads) deadlines.push({ kind: read, key: id, dueAt });
  }
  return { effects, deadlines };
};

/** Event types of releases before 0.2.0, with their current names. */
const RENAMED: Readonly<Record<string, MerchantEvent['type']>> = {
  RegistrationFoundAbsent: 'RegistrationNotFound',
  CompanyAccountFound: 'CompanyAccountObserved',
  EarlierStatusFound: 'EarlierStatusObserved',
  SubscriptionLinkOffered: 'SubscriptionLinkAvailable',
  KeysRequested: 'CompanyKeysRequested',
  CompanyCallUnknown: 'CompanyRequestResultUnknown',
  CompanyCallSettled: 'CompanyRequestResultResolved',
  CompanyFellSilent: 'CompanyStatusOverdue',
  MerchantOpened: 'MerchantEnabled',
  MerchantClosed: 'MerchantDisabled',
};

/** The upcasters of older event schemas. */
const UPCASTERS: Readonly<Record<MerchantEvent['type'], readonly Upcaster[]>> = {
  MerchantDrafted: [],
  RegistrationRequested: [],
  RegistrationNotFound: [],
  CompanyRegistered: [],
  CompanyAccountObserved: [],
  SubscriptionLinkAvailable: [],
  DocumentRemoved: [],
  CompanyKeysRequested: [],
  AccountAttached: [],
  MerchantEnabled: [],
  TerminalRequested: [renameFields({ knownIds: 'knownTerminalIds' })],
  TerminalOrdered: [],
  TerminalCancelRequested: [],
  CompanyRequestResultUnknown: [renameFields({ call: 'request' })],
  CompanyRequestResultResolved: [renameFields({ call: 'request' })],
  PersonalDataErased: [],
  CompanyMismatchesReviewed: [],
  ...UPCASTS,
};

export const merchantAggregate: Aggregate<Merchant, MerchantCommand, MerchantEvent> = {
  streamType: 'merchant',
  decider: merchantDecider,
  upcasters: { ...UPCASTERS, ...RENAMED },
  ownerOf: (merchant, merchantId) =>
    merchant.status === 'none' ? null : { platformId: merchant.terms.platformId, merchantId },
  followUps,
};
