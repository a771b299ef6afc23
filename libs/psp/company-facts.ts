import type { CompanyChange } from './company-details.js';
import type { Unrecognized } from './facts.js';
import type { AccountMode } from './provider-account.js';

/** What the provider shows about a company, in our words. Days are `YYYY-MM-DD`. */

export type CompanyStatus =
  | 'incomplete'
  | 'in_review'
  | 'validated'
  | 'available'
  | 'closing'
  | 'closed';

export type TerminalStatus =
  | 'pending'
  | 'canceled'
  | 'in_progress'
  | 'shipped'
  | 'delivered'
  | 'activated'
  | 'lost'
  | 'return_pending'
  | 'kept'
  | 'returned'
  | 'deactivated';

export type DocumentKind = 'registration_extract' | 'bank_account_proof' | 'identity_card';

/** An owner or a representative. */
export interface PersonFacts {
  readonly id: string;
  /** The reference that was sent with the person. */
  readonly reference: string | null;
}

/** Where a document belongs: its kind, and for an identity card its person. */
export interface DocumentPlace {
  readonly kind: DocumentKind;
  readonly personId: string | null;
}

export interface DocumentFacts {
  readonly documentId: string;
  readonly kind: DocumentKind | Unrecognized;
  readonly personId: string | null;
  /** The name of the document's file, as given by the sender. */
  readonly name: string;
}

/** A document that the provider now accepts for upload. */
export interface ExpectedDocument extends DocumentPlace {
  readonly reference: string | null;
  /** The secret upload URL, for `sendDocuments`. */
  readonly uploadTo: string;
}

/** The submitted fields by which a company with an unknown id is recognised. */
export interface CompanyIdentity {
  readonly email: string;
  readonly registrationNumber: string;
}

/** What one read of a company shows. */
export interface CompanyFacts {
  readonly companyId: string;
  /** The account at the provider to which the company's terminals belong. */
  readonly companyAccountId: string | null;
  readonly status: CompanyStatus | Unrecognized;
  readonly identity: CompanyIdentity;
  /** The details in the format in which they are sent, with the ids of people and documents. */
  readonly details: CompanyChange;
  readonly owners: readonly PersonFacts[];
  readonly representatives: readonly PersonFacts[];
  readonly documents: readonly DocumentFacts[];
  readonly expected: readonly ExpectedDocument[];
}

/** The most recent change of a company within a window of days. */
export interface StatusChangeFacts {
  readonly companyId: string;
  /** The day of the change, in Europe/Paris. */
  readonly day: string;
  readonly status: CompanyStatus | Unrecognized;
  /**
   * Whether the provider ended the contract; null if the provider does not show this. The provider
   * shows it only for the statuses `closing` and `closed`.
   */
  readonly terminatedByProvider: boolean | null;
}

export interface StatusHistory {
  readonly changes: readonly StatusChangeFacts[];
  /** The number of rows that could not be decoded. */
  readonly unreadable: number;
}

/**
 * The progress of a registration. `missing` contains paths of fields, documents
 * (`documents.bank_account_proof`, `documents.identity_card.pers_…`), or `signature`.
 */
export interface ProgressFacts {
  readonly status: CompanyStatus | Unrecognized;
  readonly percent: number;
  readonly steps: readonly {
    readonly code: string;
    readonly complete: boolean;
    readonly missing: readonly string[];
  }[];
}

export interface TerminalFacts {
  readonly terminalId: string;
  readonly name: string;
  readonly status: TerminalStatus | Unrecognized;
  readonly carrierName: string | null;
  readonly trackingUrl: string | null;
}

/** The company's keys of the payment API. They are secret, and stored only in provider accounts. */
export type CompanyKeys = Readonly<Record<AccountMode, string>>;
