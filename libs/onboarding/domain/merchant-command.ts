import type { Dated, Instant } from '#kernel';
import type { Day } from './paris-day.js';
import type { MerchantCall, MerchantEvent, ObservedTerminal } from './merchant-event.js';

/** A company's status in one observation, with its time. */
export interface CompanyObservation {
  readonly companyId: string;
  /** The id of the company's account (`acct_…`); null if the observation does not show it. */
  readonly companyAccountId: string | null;
  /** The status in the provider's words; an unknown status is recorded and changes nothing. */
  readonly status: string;
  readonly terminatedByProvider: boolean | null;
  /**
   * Where the status was observed, and when: a row of the status history applies to its day, a GET
   * or a response to the time at which it was read.
   */
  readonly seen:
    | { readonly source: 'history'; readonly day: Day; readonly readAt: Instant }
    | { readonly source: 'read' | 'response'; readonly readAt: Instant };
}

/** A command with exactly the fields of the event that it may record. */
type With<Event extends MerchantEvent['type'], Command extends string> = {
  readonly type: Command;
} & Omit<Extract<MerchantEvent, { readonly type: Event }>, 'type'>;

export type MerchantCommand = Dated<
  | With<'MerchantDrafted', 'DraftMerchant'>
  | With<'DetailsRevised', 'ReviseDetails'>
  | { readonly type: 'RequestRegistration' }
  | With<'RegistrationRejected', 'ObserveRegistrationRejection'>
  /**
   * An operator confirms that a registration created no company; no read has shown the result of
   * this registration.
   */
  | With<'RegistrationNotFound', 'ResolveRegistrationAbsent'>
  /** Ingests provider facts: used for the status history, GETs and responses to requests. */
  | { readonly type: 'ObserveCompanyStatus'; readonly observation: CompanyObservation }
  | With<'RequirementsObserved', 'ObserveRequirements'>
  | With<'SubscriptionLinkAvailable', 'OfferSubscriptionLink'>
  | With<'DocumentsUploaded', 'RecordDocuments'>
  | With<'DocumentRemoved', 'RecordDocumentRemoval'>
  | With<'CompanyKeysRequested', 'RequestKeys'>
  | With<'AccountAttached', 'AttachAccount'>
  /**
   * `policy`: the service orders the first terminal automatically, again only if the provider
   * has refused the order, and ignores an order that is not possible. `platform`: an order of the
   * platform that is not possible is rejected with the reason.
   */
  | {
      readonly type: 'RequestTerminal';
      readonly requestId: string;
      readonly name: string;
      readonly by: 'policy' | 'platform';
    }
  | With<'TerminalOrderRejected', 'ObserveTerminalRejection'>
  /** The whole list of the company's terminals, as one read shows it. */
  | {
      readonly type: 'ObserveTerminals';
      readonly terminals: readonly ObservedTerminal[];
      readonly readAt: Instant;
    }
  | With<'TerminalCancelRequested', 'RequestTerminalCancel'>
  | { readonly type: 'NoteUnknownOutcome'; readonly call: MerchantCall }
  /**
   * Reports that a company has had this status for too long; has no effect if the company's status
   * has changed since.
   */
  | With<'CompanyStatusOverdue', 'ReportSilence'>
  | With<'PersonalDataErased', 'ErasePersonalData'>
  /** An operator has reviewed all mismatches recorded so far. */
  | With<'CompanyMismatchesReviewed', 'ReviewMismatches'>
>;
