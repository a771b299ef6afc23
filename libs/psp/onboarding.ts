import type {
  CompanyChange,
  CompanyDetails,
  HeadRole,
  OwnerDetails,
  RepresentativeDetails,
} from './company-details.js';
import type {
  CompanyFacts,
  CompanyKeys,
  ProgressFacts,
  StatusHistory,
  TerminalFacts,
} from './company-facts.js';

/** What a document has at most. */
export const MAX_DOCUMENT_BYTES = 10 * 1_024 * 1_024;

/** So many documents are on their way through a process at most. */
export const MAX_DOCUMENT_TRANSFERS = 32;

/** Of a file to be sent on. Its content is read once, and no faster than the provider takes it. */
export interface DocumentFile {
  /** As its sender calls it; it says nothing of what is in it. */
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** What goes with an identity card. Days as `YYYY-MM-DD`. */
export interface IdentityMeta {
  readonly issuedOn: string;
  readonly expiresOn: string;
  readonly number: string;
}

export interface DocumentUpload {
  /** One after another: the next is asked for when the one before has been sent. */
  readonly files: Iterable<DocumentFile> | AsyncIterable<DocumentFile>;
  /** Asked for after the last file, so that it may come after the files. */
  readonly meta?: () => IdentityMeta | null;
}

/** A file as it arrives; read it to its end or `destroy` it. */
export interface OpenedDocument {
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** What a country is asked for. */
export type CountryUse = 'address' | 'birth' | 'legal_form' | 'nationality';

/** A list of codes; `of`: which one, where there are several. */
export type CodeList =
  | { readonly list: 'activities' | 'products' | 'languages' | 'sectors' }
  | { readonly list: 'countries'; readonly of: CountryUse }
  | { readonly list: 'legal_forms'; readonly of: string }
  | { readonly list: 'average_baskets' | 'forecast_turnovers'; readonly of: 'EUR' }
  /** Of a legal form, which is one of the country's. */
  | { readonly list: 'positions'; readonly of: string; readonly country: string };

/**
 * Why onboarding is refused: `code` of a `ProviderRejected`, which names fields by our paths. Any
 * other code is the provider's own.
 */
export type OnboardingRefusal =
  | 'validation'
  | 'email_unavailable'
  | 'email_terminated'
  | 'not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'not_found';

/**
 * Companies that a partner registers with a provider, by the provider's id of them. Throws a
 * `ProviderError` as all of the port does.
 */
export interface Onboarding {
  /**
   * The provider takes no reference of ours: when unknown, find it among `createdCompanies` by its
   * identity before anything else. `merchantId`: for the log of calls.
   */
  createCompany(details: CompanyDetails, merchantId: string): Promise<CompanyFacts>;
  getCompany(companyId: string): Promise<CompanyFacts>;
  changeCompany(companyId: string, change: CompanyChange): Promise<CompanyFacts>;
  /** Ids of all companies that were created from `since` on, before `until`, and maybe others. */
  createdCompanies(
    since: string,
    until: string,
  ): Promise<{
    readonly companyIds: readonly string[];
    readonly unreadable: number;
  }>;
  /** Each company's most recent change in the window of days, `since` inclusive, `until` not. */
  statusHistory(since: string, until: string): Promise<StatusHistory>;
  progress(companyId: string): Promise<ProgressFacts>;
  /** The address at which the merchant reviews and signs; it shows the file to whoever has it. */
  signatureLink(companyId: string): Promise<string>;
  /** 409 `not_allowed` while the company is not available. */
  companyKeys(companyId: string): Promise<CompanyKeys>;

  /** Adds the head, each time it is asked, or changes the one whose id it has. */
  putHead(
    companyId: string,
    role: HeadRole,
    head: OwnerDetails | RepresentativeDetails,
  ): Promise<CompanyFacts>;
  /** 409 for the last representative. */
  removeHead(companyId: string, headId: string, role: HeadRole): Promise<void>;

  /**
   * Sends documents on while they arrive; answers their ids. Throws also `Rejection`
   * `document_empty`, `document_type` and `document_too_large`, each with its field, and whatever
   * error the content itself breaks off with; then the provider has kept nothing.
   */
  addDocuments(companyId: string, to: string, upload: DocumentUpload): Promise<readonly string[]>;
  /** The same, in the place of the documents that are there. */
  replaceDocuments(
    companyId: string,
    to: string,
    upload: DocumentUpload,
  ): Promise<readonly string[]>;
  /** 403 `not_allowed` once the contract is signed. */
  readDocument(companyId: string, documentId: string): Promise<OpenedDocument>;
  removeDocument(companyId: string, documentId: string): Promise<void>;

  /** When unknown: the list shows whether a new one is there. */
  orderTerminal(companyId: string, accountId: string, name: string): Promise<TerminalFacts>;
  listTerminals(companyId: string, accountId: string): Promise<readonly TerminalFacts[]>;
  /** 409 unless its order is pending. */
  cancelTerminal(companyId: string, accountId: string, terminalId: string): Promise<TerminalFacts>;

  /** They change rarely: keep what it answers. */
  codes(list: CodeList): Promise<readonly string[]>;
}
