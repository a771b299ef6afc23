import type {
  CompanyChange,
  CompanyDetails,
  PersonRole,
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

/** The size limit of a document. */
export const MAX_DOCUMENT_BYTES = 10 * 1_024 * 1_024;

/** The limit of concurrent uploads through one process. */
export const MAX_DOCUMENT_TRANSFERS = 32;

/** For a file to forward. Its content is read once, and no faster than the provider accepts it. */
export interface DocumentFile {
  /** As its sender names it; it does not determine the content. */
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The data of an identity card. Days as `YYYY-MM-DD`. */
export interface IdentityMeta {
  readonly issuedOn: string;
  readonly expiresOn: string;
  readonly number: string;
}

export interface DocumentUpload {
  /** One after another: the next is requested when the one before has been sent. */
  readonly files: Iterable<DocumentFile> | AsyncIterable<DocumentFile>;
  /** Requested after the last file, so that it may follow the files. */
  readonly meta?: () => IdentityMeta | null;
  /** Whether it replaces the present documents. */
  readonly replaces?: boolean;
}

/** A file as it arrives; read it to its end or `destroy` it. */
export interface OpenedDocument {
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The codes of a country. */
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
 * Companies that a partner registers with a provider, by the provider's ids. Throws a
 * `ProviderError` like all of the port.
 */
export interface Onboarding {
  /**
   * The provider accepts no reference of ours: after an unknown result, first search
   * `createdCompanies` by the company's identity. `merchantId`: for the call log.
   */
  createCompany(details: CompanyDetails, merchantId: string): Promise<CompanyFacts>;
  getCompany(companyId: string): Promise<CompanyFacts>;
  changeCompany(companyId: string, change: CompanyChange): Promise<CompanyFacts>;
  /** Ids of all companies created from `since` on, before `until`, possibly with others. */
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
  /** The address at which the merchant reviews and signs; it shows the details to every visitor. */
  signatureLink(companyId: string): Promise<string>;
  /** 409 `not_allowed` while the company is not available. */
  companyKeys(companyId: string): Promise<CompanyKeys>;

  /** Each call adds the person, or changes the one whose id is given. */
  putPerson(
    companyId: string,
    role: PersonRole,
    details: OwnerDetails | RepresentativeDetails,
  ): Promise<CompanyFacts>;
  /** 409 for the last representative. */
  removePerson(companyId: string, personId: string, role: PersonRole): Promise<void>;

  /**
   * Forwards documents while they arrive; returns their ids. Also throws `Rejection`
   * `document_empty`, `unsupported_document_type` and `document_too_large`, each with its field, and any error
   * of the content stream; the provider has then stored nothing.
   */
  sendDocuments(companyId: string, to: string, upload: DocumentUpload): Promise<readonly string[]>;
  /** 403 `not_allowed` once the contract is signed. */
  readDocument(companyId: string, documentId: string): Promise<OpenedDocument>;
  removeDocument(companyId: string, documentId: string): Promise<void>;

  /** After an unknown result the list shows whether a new one exists. */
  orderTerminal(companyId: string, accountId: string, name: string): Promise<TerminalFacts>;
  listTerminals(companyId: string, accountId: string): Promise<readonly TerminalFacts[]>;
  /** 409 unless its order is pending. */
  cancelTerminal(companyId: string, accountId: string, terminalId: string): Promise<TerminalFacts>;

  /** They change rarely: cache the answer. */
  codes(list: CodeList): Promise<readonly string[]>;
}
