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
  /** The reference of the row with the personal data; null after it was erased. */
  readonly detailsRef: string | null;
  /** The provider requests whose unknown result no read has resolved yet. */
  readonly unknown: readonly MerchantCall[];
  /** Whether operators were notified that the company has had its current status for too long. */
  readonly silent: boolean;
  /** Each recorded mismatch, as `aspect:expected:observed`. */
  readonly mismatches: readonly string[];
  /** The mismatches that no operator has reviewed, in the same form. */
  readonly unreviewed: readonly string[];
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
  /** Null until the progress of the registration has been read, or the contract is signed. */
  readonly requirements: {
    readonly missing: readonly string[];
    readonly readAt: Instant;
  } | null;
  readonly linkOffered: boolean;
  readonly documents: readonly MerchantDocument[];
  /**
   * Whether the API keys were requested since the last observation after which stored keys may be
   * missing or revoked.
   */
  readonly keysRequested: boolean;
  readonly accounts: readonly KeyAccount[];
  readonly ordersEnabled: boolean;
  readonly terminals: readonly Terminal[];
  /**
   * An order for a payment terminal that, as far as we know, the provider has neither executed nor
   * refused. Only one order is open at a time, because a new terminal could otherwise belong to
   * either of two open orders.
   */
  readonly terminalOrder: TerminalOrder | null;
}

/** A merchant for which no company at the provider is recorded. */
export interface Unregistered extends Drafted {
  /**
   * The time of the first registration request for which an operator confirmed that no company
   * exists. That request may still create a company later. Null if there is no such request.
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
