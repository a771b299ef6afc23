import type { CompanyChange } from './company-details.js';
import type { Unrecognized } from './facts.js';
import type { AccountMode } from './provider-account.js';

/* What a provider shows of a company that it registers, in our words. Days as `YYYY-MM-DD`. */

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
export interface HeadFacts {
  readonly id: string;
  /** As it was sent with the head. */
  readonly reference: string | null;
}

/** Which document: of a kind, and of a person where it is an identity card. */
export interface DocumentPlace {
  readonly kind: DocumentKind;
  readonly personId: string | null;
}

export interface DocumentFacts {
  readonly documentId: string;
  readonly kind: DocumentKind | Unrecognized;
  readonly personId: string | null;
  /** Of its file, as its sender called it. */
  readonly name: string;
}

/** A document that the provider takes now. */
export interface ExpectedDocument extends DocumentPlace {
  readonly reference: string | null;
  /** For `addDocuments` and `replaceDocuments`: where the provider takes it. Secret. */
  readonly uploadTo: string;
}

/** What a company is known again by, as it was sent. */
export interface CompanyIdentity {
  readonly email: string;
  readonly registrationNumber: string;
}

/** What one read of a company shows. */
export interface CompanyFacts {
  readonly companyId: string;
  /** The provider's own account of it, which its terminals belong to. */
  readonly companyAccountId: string | null;
  readonly status: CompanyStatus | Unrecognized;
  readonly identity: CompanyIdentity;
  /** In the shape in which they were given, with ids of people and documents. */
  readonly details: CompanyChange;
  readonly owners: readonly HeadFacts[];
  readonly representatives: readonly HeadFacts[];
  readonly documents: readonly DocumentFacts[];
  readonly expected: readonly ExpectedDocument[];
}

/** The most recent change of a company within a window of days. */
export interface StatusChangeFacts {
  readonly companyId: string;
  /** In Europe/Paris. */
  readonly day: string;
  readonly status: CompanyStatus | Unrecognized;
  /** Of the two endings; null where it is not shown. */
  readonly terminatedByService: boolean | null;
}

export interface StatusHistory {
  readonly changes: readonly StatusChangeFacts[];
  /** How many rows cannot be read. */
  readonly unreadable: number;
}

/**
 * How far a registration is. `missing`: paths of fields, documents (`documents.bank_account_proof`,
 * `documents.identity_card.pers_…`), or `signature`.
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

/** The company's keys of the payment API. Secret: into provider accounts, and nowhere else. */
export type CompanyKeys = Readonly<Record<AccountMode, string>>;
