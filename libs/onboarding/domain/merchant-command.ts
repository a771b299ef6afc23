import type { Instant } from '#kernel';
import type { CompanyStatus } from './company-status.js';
import type { Day } from './paris-day.js';
import type {
  DocumentKind,
  MerchantCall,
  MerchantMode,
  MerchantTerms,
  ObservedTerminal,
} from './merchant-event.js';

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

export type MerchantCommand =
  | ({
      readonly type: 'DraftMerchant';
      readonly detailsRef: string;
      readonly at: Instant;
    } & MerchantTerms)
  | {
      readonly type: 'ReviseDetails';
      readonly detailsRef: string | null;
      readonly fields: readonly string[];
      readonly at: Instant;
    }
  | { readonly type: 'RequestRegistration'; readonly at: Instant }
  | {
      readonly type: 'ObserveRegistrationRejection';
      readonly reason: string;
      readonly fields: readonly string[];
      readonly at: Instant;
    }
  /** By an operator, after an unknown result that no read has resolved. */
  | { readonly type: 'SettleRegistrationAbsent'; readonly at: Instant }
  /** Ingests provider facts: the history, a GET and a call's answer all use it. */
  | {
      readonly type: 'ObserveCompanyStatus';
      readonly observation: CompanyObservation;
      readonly at: Instant;
    }
  | {
      readonly type: 'ObserveRequirements';
      readonly missing: readonly string[];
      readonly readAt: Instant;
      readonly at: Instant;
    }
  | { readonly type: 'OfferSubscriptionLink'; readonly at: Instant }
  | {
      readonly type: 'RecordDocuments';
      readonly kind: DocumentKind;
      readonly personId: string | null;
      readonly documentIds: readonly string[];
      readonly replaces: boolean;
      readonly at: Instant;
    }
  | { readonly type: 'RecordDocumentRemoval'; readonly documentId: string; readonly at: Instant }
  | { readonly type: 'RequestKeys'; readonly at: Instant }
  | {
      readonly type: 'AttachAccount';
      readonly accountId: string;
      readonly mode: MerchantMode;
      readonly readAt: Instant;
      readonly at: Instant;
    }
  /** `policy`: the first terminal, once; a platform gets the reason of a refusal. */
  | {
      readonly type: 'RequestTerminal';
      readonly requestId: string;
      readonly name: string;
      readonly by: 'policy' | 'platform';
      readonly at: Instant;
    }
  | {
      readonly type: 'ObserveTerminalRejection';
      readonly requestId: string;
      readonly reason: string;
      readonly at: Instant;
    }
  /** The whole list of the company's terminals, from one read. */
  | {
      readonly type: 'ObserveTerminals';
      readonly terminals: readonly ObservedTerminal[];
      readonly readAt: Instant;
      readonly at: Instant;
    }
  | {
      readonly type: 'RequestTerminalCancel';
      readonly terminalId: string;
      readonly at: Instant;
    }
  | { readonly type: 'NoteUnknownOutcome'; readonly call: MerchantCall; readonly at: Instant }
  /** The status that is overdue: a company that has moved on meanwhile is not overdue. */
  | {
      readonly type: 'ReportSilence';
      readonly status: 'requested' | CompanyStatus;
      readonly at: Instant;
    }
  | { readonly type: 'ErasePersonalData'; readonly at: Instant }
  /** By an operator who has reviewed all mismatches so far. */
  | { readonly type: 'ReviewMismatches'; readonly at: Instant };
