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

/** A company's status as one look at the provider shows it, with how old the look is. */
export interface CompanyObservation {
  readonly companyId: string;
  /** `acct_…`; null where the look does not show it. */
  readonly companyAccountId: string | null;
  /** As the provider writes it; one we do not know is recorded and changes nothing. */
  readonly status: string;
  readonly terminatedByService: boolean | null;
  /** A row of the history is of its day, a GET and an answer are of their reading. */
  readonly seen:
    | { readonly source: 'history'; readonly day: Day; readonly readAt: Instant }
    | { readonly source: 'read' | 'answer'; readonly readAt: Instant };
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
  /** By ops, after an unknown outcome that no look has settled. */
  | { readonly type: 'SettleRegistrationAbsent'; readonly at: Instant }
  /** The one door for provider facts: the history, a GET and a call's answer all end here. */
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
  /** `policy`: the first terminal, once; a platform is told why not. */
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
  /** The whole list of the company's terminals, as one look shows it. */
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
  /** The status that was waited on: a company that moved on meanwhile is not silent. */
  | {
      readonly type: 'ReportSilence';
      readonly status: 'requested' | CompanyStatus;
      readonly at: Instant;
    }
  | { readonly type: 'ErasePersonalData'; readonly at: Instant }
  /** By ops: somebody has looked into all contradictions so far. */
  | { readonly type: 'ReviewMismatches'; readonly at: Instant };
