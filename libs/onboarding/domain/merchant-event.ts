import type { Dated, Instant } from '#kernel';
import type { CompanyStatus } from './company-status.js';
import type { StatusObservation } from './status-observation.js';

/** The mode in which the company is registered: `live` moves real money. */
export type MerchantMode = 'test' | 'live';

/** What the platform requested; fixed when the merchant is drafted. */
export interface MerchantTerms {
  /** The platform that onboards the merchant. */
  readonly platformId: string;
  /** The platform's own reference, unique for each platform. */
  readonly reference: string;
  readonly mode: MerchantMode;
  /**
   * The name of the first terminal, which is ordered as soon as the provider allows it; null for
   * none.
   */
  readonly firstTerminal: string | null;
}

/** The kind of the provider request. */
export type MerchantCall = 'create_company' | 'order_terminal' | 'cancel_terminal';

/** The kind of the document. */
export type DocumentKind = 'registration_extract' | 'bank_account_proof' | 'identity_card';

/** A terminal as the provider's list shows it. */
export interface ObservedTerminal {
  /** The terminal at the provider (`term_…`). */
  readonly terminalId: string;
  /** The name of the terminal, as it was ordered. */
  readonly name: string;
  /**
   * The status of the terminal, e.g. `shipped`. A status of the provider that we do not know is
   * `unrecognized` followed by the provider's word.
   */
  readonly status: string;
  /** The carrier that delivers the terminal; null before it is shipped. */
  readonly carrierName: string | null;
  /** The carrier's page about the delivery; null before it is shipped. */
  readonly trackingUrl: string | null;
}

/** The reason of a rejection by us: without its details a company cannot be registered. */
export const DETAILS_ERASED = 'details_erased';

/**
 * No event contains personal data: the data are in a row that can be erased, which the event names
 * by `detailsRef`. Documents and people are named by their ids at the provider. The subscription
 * link is in no event either, because the link shows the merchant's file to every visitor; the link
 * is read from the provider at each request.
 */
export type MerchantEvent = Dated<
  /** A platform requested the onboarding of a merchant. */
  | ({
      readonly type: 'MerchantDrafted';
      /** The reference of our erasable row with the merchant's personal data (`det_…`). */
      readonly detailsRef: string;
    } & MerchantTerms)
  /** The platform changed details of the merchant. */
  | {
      readonly type: 'DetailsRevised';
      /** The reference of our row with the personal data; null if the data were erased. */
      readonly detailsRef: string | null;
      /** The names of the changed fields, e.g. `payoutAccount` or `owners`, without their values. */
      readonly fields: readonly string[];
    }
  /** The registration of the company is requested from the provider. */
  | { readonly type: 'RegistrationRequested'; readonly detailsRef: string }
  /**
   * The registration was refused: no company exists, and the details can be corrected unless they
   * were erased.
   */
  | {
      readonly type: 'RegistrationRejected';
      /**
       * Why the provider refused the registration, e.g. `email_unavailable`; `details_erased` if
       * the personal data were erased before the company existed.
       */
      readonly reason: string;
      /** The fields that caused the refusal, e.g. `contact.email`. */
      readonly fields: readonly string[];
    }
  /** An operator confirmed that a registration with an unknown result created no company. */
  | { readonly type: 'RegistrationNotFound' }
  /** The company exists at the provider. */
  | {
      readonly type: 'CompanyRegistered';
      /** The company at the provider (`comp_…`). */
      readonly companyId: string;
    }
  /** The provider shows the company's account, to which its terminals belong. */
  | {
      readonly type: 'CompanyAccountObserved';
      /** The company's account at the provider (`acct_…`). */
      readonly companyAccountId: string;
    }
  /** The newest observation shows a status that differs from the recorded status. */
  | ({ readonly type: 'CompanyStatusChanged' } & StatusObservation)
  /**
   * A newer observation shows the recorded status; it is recorded so that older observations that
   * arrive later do not replace that status.
   */
  | ({ readonly type: 'CompanyStatusConfirmed' } & StatusObservation)
  /**
   * A status observation arrived that is older than the newest observation; it only completes the
   * timeline.
   */
  | ({ readonly type: 'EarlierStatusObserved' } & StatusObservation)
  /** The items that the registration still lacks have changed. */
  | {
      readonly type: 'RequirementsObserved';
      /**
       * Paths of fields (`payoutAccount.iban`), documents (`documents.bank_account_proof`) or
       * `signature`. In events of schema version 1, `payoutAccount.iban` may also mean the document
       * `documents.bank_account_proof`.
       */
      readonly missing: readonly string[];
      /** When the missing items were read from the provider. */
      readonly readAt: Instant;
    }
  /** The merchant can now review and sign the contract: the API returns the link. */
  | { readonly type: 'SubscriptionLinkAvailable' }
  /** The provider stored documents of the merchant. */
  | {
      readonly type: 'DocumentsUploaded';
      readonly kind: DocumentKind;
      /** The person whose document it is (`pers_…`); null for the company's own documents. */
      readonly personId: string | null;
      /** The ids of the documents at the provider (`dcmt_…`). */
      readonly documentIds: readonly string[];
      /** Whether these documents replace earlier documents of the same kind and person. */
      readonly replaces: boolean;
    }
  /** A document was removed at the provider. */
  | {
      readonly type: 'DocumentRemoved';
      /** The id of the document at the provider (`dcmt_…`). */
      readonly documentId: string;
    }
  /** The API keys of the company are requested from the provider. */
  | { readonly type: 'CompanyKeysRequested' }
  /** A provider account now holds the company's API key of this mode. */
  | {
      readonly type: 'AccountAttached';
      /** The provider account (`acc_…`). */
      readonly accountId: string;
      readonly mode: MerchantMode;
      /** When the key was read from the provider. */
      readonly readAt: Instant;
    }
  /** The merchant accepts orders: its company is available and its keys are stored. */
  | { readonly type: 'MerchantEnabled' }
  /** The merchant accepts no new orders; existing orders are completed. */
  | {
      readonly type: 'MerchantDisabled';
      /** The status of the company, which ended the acceptance of orders. */
      readonly reason: CompanyStatus;
    }
  /** A terminal is ordered from the provider. */
  | {
      readonly type: 'TerminalRequested';
      /** Our id of the order of a terminal. */
      readonly requestId: string;
      /** The name of the terminal. */
      readonly name: string;
      /**
       * The ids of all terminals before the order. If the result of the order is unknown, a
       * terminal whose id is not among these is the ordered terminal.
       */
      readonly knownTerminalIds: readonly string[];
    }
  /** The provider accepted the order of a terminal. */
  | {
      readonly type: 'TerminalOrdered';
      readonly requestId: string;
      readonly terminalId: string;
    }
  /** The provider refused the order of a terminal. */
  | {
      readonly type: 'TerminalOrderRejected';
      readonly requestId: string;
      /** Why the provider refused the order, e.g. `not_allowed`. */
      readonly reason: string;
    }
  /** The provider's list shows a new or changed terminal. */
  | ({ readonly type: 'TerminalObserved'; readonly readAt: Instant } & ObservedTerminal)
  /** The cancellation of a terminal's order is requested from the provider. */
  | { readonly type: 'TerminalCancelRequested'; readonly terminalId: string }
  /** The provider did not respond to a write, which may still have had its effect. */
  | { readonly type: 'CompanyRequestResultUnknown'; readonly request: MerchantCall }
  /** A read showed the result of a write that got no response. */
  | { readonly type: 'CompanyRequestResultResolved'; readonly request: MerchantCall }
  /** The company's status has not changed for too long: an operator must review the company. */
  | {
      readonly type: 'CompanyStatusOverdue';
      /** The status that has lasted too long; `requested` while the registration has no result. */
      readonly status: 'requested' | CompanyStatus;
    }
  /** The personal data of the merchant were erased here; the provider may still have them. */
  | { readonly type: 'PersonalDataErased' }
  /**
   * The provider shows something that contradicts earlier facts: an operator must review the
   * contradiction.
   */
  | {
      readonly type: 'CompanyMismatchObserved';
      /** What differs: the company, its account, its status, or the day of a status. */
      readonly aspect: 'company' | 'account' | 'status' | 'day';
      /** The value in our records, as text. */
      readonly expected: string;
      /** The value at the provider, as text. */
      readonly observed: string;
    }
  /** An operator has reviewed all mismatches so far. */
  | { readonly type: 'CompanyMismatchesReviewed' }
>;
