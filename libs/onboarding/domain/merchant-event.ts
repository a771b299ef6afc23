import type { Instant } from '#kernel';
import type { CompanyStatus } from './company-status.js';
import type { StatusObservation } from './status-observation.js';

/** Which of the partner's two keys the company is registered with. */
export type MerchantMode = 'test' | 'live';

/** What the platform asked for; fixed when the merchant is drafted. */
export interface MerchantTerms {
  readonly platformId: string;
  /** The platform's own reference, unique for each platform. */
  readonly reference: string;
  readonly mode: MerchantMode;
  /** The name of a first terminal, to be ordered when the company may have one. */
  readonly firstTerminal: string | null;
}

/** A call to the provider whose outcome may stay unknown for a while. */
export type MerchantCall = 'create_company' | 'order_terminal' | 'cancel_terminal';

export type DocumentKind = 'registration_extract' | 'bank_account_proof' | 'identity_card';

/** A terminal as the provider's list shows it; `status` as the provider writes it. */
export interface ObservedTerminal {
  readonly terminalId: string;
  readonly name: string;
  readonly status: string;
  readonly carrierName: string | null;
  readonly trackingUrl: string | null;
}

/**
 * No event holds personal data: who the merchant's people are is in an erasable row that
 * `detailsRef` names, documents and people go by their ids at the provider, and the subscription
 * link, which shows the file to whoever has it, is read from the provider when it is asked for.
 */
export type MerchantEvent =
  | ({
      readonly type: 'MerchantDrafted';
      readonly detailsRef: string;
      readonly at: Instant;
    } & MerchantTerms)
  | {
      readonly type: 'DetailsRevised';
      /** Null when they have been erased here: the provider alone has them. */
      readonly detailsRef: string | null;
      /** The names of what was changed, e.g. `payoutAccount`, `owners`; never what it is now. */
      readonly fields: readonly string[];
      readonly at: Instant;
    }
  | { readonly type: 'RegistrationRequested'; readonly detailsRef: string; readonly at: Instant }
  /** The provider refused: nothing exists there, and the details can be corrected. */
  | {
      readonly type: 'RegistrationRejected';
      /** Why, e.g. `email_unavailable`. */
      readonly reason: string;
      /** The fields that caused it, e.g. `contact.email`. */
      readonly fields: readonly string[];
      readonly at: Instant;
    }
  /** A person has made sure that a call of unknown outcome made no company. */
  | { readonly type: 'RegistrationNotFound'; readonly at: Instant }
  | {
      readonly type: 'CompanyRegistered';
      /** `comp_…` */
      readonly companyId: string;
      readonly at: Instant;
    }
  /** The provider's own account of the company (`acct_…`), which its terminals belong to. */
  | {
      readonly type: 'CompanyAccountObserved';
      readonly companyAccountId: string;
      readonly at: Instant;
    }
  /** The newest that is known of the company, and not what was known before. */
  | ({ readonly type: 'CompanyStatusChanged'; readonly at: Instant } & StatusObservation)
  /** The same status, seen again: what was read before and comes later will not undo it. */
  | ({ readonly type: 'CompanyStatusConfirmed'; readonly at: Instant } & StatusObservation)
  /** A change that was before the newest: it fills the timeline. */
  | ({ readonly type: 'EarlierStatusObserved'; readonly at: Instant } & StatusObservation)
  /**
   * What the registration still lacks: paths of fields (`payoutAccount.iban`), documents
   * (`documents.bank_account_proof`), `signature`. Version 1 had documents by the provider's bare
   * names: of it `payoutAccount.iban` may be either.
   */
  | {
      readonly type: 'RequirementsObserved';
      readonly missing: readonly string[];
      readonly readAt: Instant;
      readonly at: Instant;
    }
  /** From now on the merchant can be given the link at which to review and sign. */
  | { readonly type: 'SubscriptionLinkAvailable'; readonly at: Instant }
  | {
      readonly type: 'DocumentsUploaded';
      readonly kind: DocumentKind;
      /** Whose identity card it is (`pers_…`); null for the company's own documents. */
      readonly personId: string | null;
      readonly documentIds: readonly string[];
      /** They take the place of what was there of this kind and person. */
      readonly replaces: boolean;
      readonly at: Instant;
    }
  | { readonly type: 'DocumentRemoved'; readonly documentId: string; readonly at: Instant }
  | { readonly type: 'CompanyKeysRequested'; readonly at: Instant }
  /** A provider account holds the company's key of this mode. Never the key itself. */
  | {
      readonly type: 'AccountAttached';
      readonly accountId: string;
      readonly mode: MerchantMode;
      /** When the key was read. */
      readonly readAt: Instant;
      readonly at: Instant;
    }
  | { readonly type: 'MerchantEnabled'; readonly at: Instant }
  /** No new orders; those that are open go on to their end. */
  | { readonly type: 'MerchantDisabled'; readonly reason: CompanyStatus; readonly at: Instant }
  | {
      readonly type: 'TerminalRequested';
      readonly requestId: string;
      readonly name: string;
      /** The terminals known before: after an unknown outcome a new one is told from these. */
      readonly knownTerminalIds: readonly string[];
      readonly at: Instant;
    }
  | {
      readonly type: 'TerminalOrdered';
      readonly requestId: string;
      readonly terminalId: string;
      readonly at: Instant;
    }
  | {
      readonly type: 'TerminalOrderRejected';
      readonly requestId: string;
      readonly reason: string;
      readonly at: Instant;
    }
  | ({
      readonly type: 'TerminalObserved';
      readonly readAt: Instant;
      readonly at: Instant;
    } & ObservedTerminal)
  | { readonly type: 'TerminalCancelRequested'; readonly terminalId: string; readonly at: Instant }
  | {
      readonly type: 'CompanyRequestResultUnknown';
      readonly request: MerchantCall;
      readonly at: Instant;
    }
  | {
      readonly type: 'CompanyRequestResultResolved';
      readonly request: MerchantCall;
      readonly at: Instant;
    }
  /** Nothing was heard of the company for too long: an exception for ops. */
  | {
      readonly type: 'CompanyStatusOverdue';
      readonly status: 'requested' | CompanyStatus;
      readonly at: Instant;
    }
  | { readonly type: 'PersonalDataErased'; readonly at: Instant }
  /** The provider shows what cannot follow from what it showed before: a person must look. */
  | {
      readonly type: 'CompanyMismatchObserved';
      readonly aspect: 'company' | 'account' | 'status' | 'day';
      readonly expected: string;
      readonly observed: string;
      readonly at: Instant;
    }
  /** Somebody has looked into all contradictions so far. */
  | { readonly type: 'CompanyMismatchesReviewed'; readonly at: Instant };
