import type { Instant } from '#kernel';
import type { CompanyStatus } from './company-status.js';
import type {
  DocumentKind,
  MerchantCall,
  MerchantMode,
  MerchantTerms,
  ObservedTerminal,
} from './merchant-event.js';
import type { Sighting } from './sighting.js';

/** What every merchant has from its draft on. */
export interface Drafted {
  readonly terms: MerchantTerms;
  /** The row that holds names, emails, addresses; null once it was erased. */
  readonly detailsRef: string | null;
  /** Calls whose outcome no look has settled yet. */
  readonly unknown: readonly MerchantCall[];
  /** Ops were told that nothing is heard in this status. */
  readonly silent: boolean;
  /** `aspect:expected:observed` of each contradiction told already. */
  readonly mismatches: readonly string[];
  /** One of them waits for somebody to look into it. */
  readonly mismatched: boolean;
}

export interface MerchantDocument {
  readonly documentId: string;
  readonly kind: DocumentKind;
  readonly personId: string | null;
}

/** A provider account that holds a key of the company. */
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
  readonly knownIds: readonly string[];
}

/** What a merchant has once its company exists at the provider. */
export interface Registered extends Drafted {
  readonly companyId: string;
  readonly companyAccountId: string | null;
  readonly sightings: readonly Sighting[];
  /** Null until the progress of the registration has been read. */
  readonly requirements: {
    readonly missing: readonly string[];
    readonly readAt: Instant;
  } | null;
  readonly linkOffered: boolean;
  readonly documents: readonly MerchantDocument[];
  readonly keysRequested: boolean;
  readonly accounts: readonly KeyAccount[];
  readonly openForOrders: boolean;
  readonly terminals: readonly Terminal[];
  /** Asked for, and not seen or refused yet: one at a time, or an unknown one were ambiguous. */
  readonly terminalOrder: TerminalOrder | null;
}

/** A merchant whose company is not known to exist. */
export interface Unregistered extends Drafted {
  /**
   * The first creation that may, against what a person found, have made a company nevertheless;
   * null where none may.
   */
  readonly attemptedAt: Instant | null;
}

/** A merchant of a platform: one company at the provider, whose statuses it has. */
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
