import type { Instant } from '#kernel';
import type { Day } from './paris-day.js';
import type { MerchantCall, MerchantEvent, ObservedTerminal } from './merchant-event.js';

/** A company's status in one observation, with its time. */
export interface CompanyObservation {
  readonly companyId: string;
  /** `acct_…`; null where the observation does not show it. */
  readonly companyAccountId: string | null;
  /** As the provider writes it; an unknown one is recorded and changes nothing. */
  readonly status: string;
  readonly terminatedByProvider: boolean | null;
  /** A row of the history belongs to its day, a GET or an answer to its time. */
  readonly seen:
    | { readonly source: 'history'; readonly day: Day; readonly readAt: Instant }
    | { readonly source: 'read' | 'response'; readonly readAt: Instant };
}

/** A command with exactly the fields of the event that it may record. */
type With<Event extends MerchantEvent['type'], Command extends string> = {
  readonly type: Command;
} & Omit<Extract<MerchantEvent, { readonly type: Event }>, 'type'>;

export type MerchantCommand =
  | With<'MerchantDrafted', 'DraftMerchant'>
  | With<'DetailsRevised', 'ReviseDetails'>
  | { readonly type: 'RequestRegistration'; readonly at: Instant }
  | With<'RegistrationRejected', 'ObserveRegistrationRejection'>
  /** By an operator, after an unknown result that no read has resolved. */
  | With<'RegistrationNotFound', 'SettleRegistrationAbsent'>
  /** Ingests provider facts: the history, a GET and a call's answer all use it. */
  | {
      readonly type: 'ObserveCompanyStatus';
      readonly observation: CompanyObservation;
      readonly at: Instant;
    }
  | With<'RequirementsObserved', 'ObserveRequirements'>
  | With<'SubscriptionLinkAvailable', 'OfferSubscriptionLink'>
  | With<'DocumentsUploaded', 'RecordDocuments'>
  | With<'DocumentRemoved', 'RecordDocumentRemoval'>
  | With<'CompanyKeysRequested', 'RequestKeys'>
  | With<'AccountAttached', 'AttachAccount'>
  /** `policy`: the first terminal, once; a platform gets the reason of a refusal. */
  | {
      readonly type: 'RequestTerminal';
      readonly requestId: string;
      readonly name: string;
      readonly by: 'policy' | 'platform';
      readonly at: Instant;
    }
  | With<'TerminalOrderRejected', 'ObserveTerminalRejection'>
  /** The whole list of the company's terminals, from one read. */
  | {
      readonly type: 'ObserveTerminals';
      readonly terminals: readonly ObservedTerminal[];
      readonly readAt: Instant;
      readonly at: Instant;
    }
  | With<'TerminalCancelRequested', 'RequestTerminalCancel'>
  | { readonly type: 'NoteUnknownOutcome'; readonly call: MerchantCall; readonly at: Instant }
  /** The status that is overdue: a company that has moved on meanwhile is not overdue. */
  | With<'CompanyStatusOverdue', 'ReportSilence'>
  | With<'PersonalDataErased', 'ErasePersonalData'>
  /** By an operator who has reviewed all mismatches so far. */
  | With<'CompanyMismatchesReviewed', 'ReviewMismatches'>;
