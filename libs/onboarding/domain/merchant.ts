import type { Instant } from '#kernel';
import type { CompanyStatus } from './company-status.js';
import type {
  DocumentKind,
  MerchantCall,
  MerchantMode,
  MerchantTerms,
  ObservedTerminal,
} from './merchant-event.js';
import type { StatusObservation } from './status-observation.js';

/** The fields of every merchant, from its draft on. */
export interface Drafted {
  readonly terms: MerchantTerms;
  /** The reference of the row with names, emails and addresses; null after it was erased. */
  readonly detailsRef: string | null;
  /** The provider requests whose unknown result no read has resolved yet. */
  readonly unknown: readonly MerchantCall[];
  /** Whether operators were notified that the current status is overdue. */
  readonly silent: boolean;
  /** `aspect:expected:observed` of each recorded mismatch. */
  readonly mismatches: readonly string[];
  /** Whether a mismatch needs an operator's review. */
  readonly mismatched: boolean;
}

export interface MerchantDocument {
  readonly documentId: string;
  readonly kind: DocumentKind;
  readonly personId: string | null;
}

/** A provider account with an API key of the company. */
export interface KeyAccount {
  readonly accountId: string;
  readonly mode: MerchantMode;
  readonly readAt: Instant;
}

export interface Terminal extends ObservedTerminal {
  readonly readAt: Instant;
  readonly cancelRequested: boolean;
}

export interface TerminalOrder {
  readonly requestId: string;
  readonly name: string;
  readonly knownTerminalIds: readonly string[];
}

/** A merchant whose company exists at the provider. */
export interface Registered extends Drafted {
  readonly companyId: string;
  readonly companyAccountId: string | null;
  readonly statusObservations: readonly StatusObservation[];
  /** Null until the progress of the registration has been read. */
  readonly requirements: {
    readonly missing: readonly string[];
    readonly readAt: Instant;
  } | null;
  readonly linkOffered: boolean;
  readonly documents: readonly MerchantDocument[];
  readonly keysRequested: boolean;
  readonly accounts: readonly KeyAccount[];
  readonly ordersEnabled: boolean;
  readonly terminals: readonly Terminal[];
  /**
   * A terminal that was requested and neither observed nor refused yet. Only one is open at a time,
   * because an unknown result would be ambiguous otherwise.
   */
  readonly terminalOrder: TerminalOrder | null;
}

/** A merchant without a company, as far as we know. */
export interface Unregistered extends Drafted {
  /**
   * The time of the first creation request that an operator confirmed absent: it may have created a
   * company nevertheless. Null if there is none.
   */
  readonly attemptedAt: Instant | null;
}

/** A merchant of a platform: one company at the provider, with its statuses. */
export type Merchant =
  | { readonly status: 'none' }
  | ({ readonly status: 'draft' } & Unregistered)
  | ({ readonly status: 'requested'; readonly requestedAt: Instant } & Unregistered)
  | ({
      readonly status: 'rejected';
      readonly reason: string;
      readonly fields: readonly string[];
    } & Unregistered)
  | ({ readonly status: CompanyStatus } & Registered);

export type RegisteredMerchant = Extract<Merchant, { readonly companyId: string }>;

export const isRegistered = (merchant: Merchant): merchant is RegisteredMerchant =>
  'companyId' in merchant;
