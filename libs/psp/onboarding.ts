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

/** A file to forward. Its content is read once, and no faster than the provider accepts it. */
export interface DocumentFile {
  /** The name of the file as given by its sender; it does not determine the content type. */
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
  /**
   * The files, sent one after another: the next is requested when the previous one has been sent.
   */
  readonly files: Iterable<DocumentFile> | AsyncIterable<DocumentFile>;
  /**
   * The data of the identity card, requested after the last file, because a sender may send it
   * after the files.
   */
  readonly meta?: () => IdentityMeta | null;
  /** Whether the upload replaces the current documents. */
  readonly replaces?: boolean;
}

/** A file that is being received; read it to its end or `destroy` it. */
export interface OpenedDocument {
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The purposes for which a country has codes. */
export type CountryUse = 'address' | 'birth' | 'legal_form' | 'nationality';

/** A list of codes; `of` selects one if there are several. */
export type CodeList =
  | { readonly list: 'activities' | 'products' | 'languages' | 'sectors' }
  | { readonly list: 'countries'; readonly of: CountryUse }
  | { readonly list: 'legal_forms'; readonly of: string }
  | { readonly list: 'average_baskets' | 'forecast_turnovers'; readonly of: 'EUR' }
  /** The positions in a legal form of a country. */
  | { readonly list: 'positions'; readonly of: string; readonly country: string };

/**
 * The reason why onboarding is rejected: the `code` of a `ProviderRejected`, which names fields by
 * our paths. Any other code is the provider's own.
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
 * Registers companies at a provider with a partner's key; ids are the provider's. Each method
 * throws a `ProviderError` like the whole port.
 */
export interface Onboarding {
  /**
   * Creates a company. The provider accepts no reference of ours: after an unknown result, first
   * search `createdCompanies` by the company's identity. `merchantId` is for the call log.
   */
  createCompany(details: CompanyDetails, merchantId: string): Promise<CompanyFacts>;
  getCompany(companyId: string): Promise<CompanyFacts>;
  changeCompany(companyId: string, change: CompanyChange): Promise<CompanyFacts>;
  /**
   * The ids of all companies created at or after `since` and before `until`, possibly with others.
   */
  createdCompanies(
    since: string,
    until: string,
  ): Promise<{
    readonly companyIds: readonly string[];
    readonly unreadable: number;
  }>;
  /**
   * The most recent change of each company in the window of days, including `since` and excluding
   * `until`.
   */
  statusHistory(since: string, until: string): Promise<StatusHistory>;
  progress(companyId: string): Promise<ProgressFacts>;
  /** The address at which the merchant reviews and signs; it shows the details to every visitor. */
  signatureLink(companyId: string): Promise<string>;
  /** The company's keys; 409 `not_allowed` while the company is not available. */
  companyKeys(companyId: string): Promise<CompanyKeys>;

  /** Adds the person, or changes the person whose id is given. */
  putPerson(
    companyId: string,
    role: PersonRole,
    details: OwnerDetails | RepresentativeDetails,
  ): Promise<CompanyFacts>;
  /** Removes a person; 409 for the last representative. */
  removePerson(companyId: string, personId: string, role: PersonRole): Promise<void>;

  /**
   * Forwards documents while they arrive; returns their ids. Also throws `Rejection`
   * `document_empty`, `unsupported_document_type` and `document_too_large`, each with its field, and any error
   * of the content stream; the provider has then stored nothing.
   */
  sendDocuments(companyId: string, to: string, upload: DocumentUpload): Promise<readonly string[]>;
  /** Reads a document; 403 `not_allowed` after the contract was signed. */
  readDocument(companyId: string, documentId: string): Promise<OpenedDocument>;
  removeDocument(companyId: string, documentId: string): Promise<void>;

  /** Orders a terminal. After an unknown result the list shows whether a new one exists. */
  orderTerminal(companyId: string, accountId: string, name: string): Promise<TerminalFacts>;
  listTerminals(companyId: string, accountId: string): Promise<readonly TerminalFacts[]>;
  /** Cancels a terminal; 409 unless its order is pending. */
  cancelTerminal(companyId: string, accountId: string, terminalId: string): Promise<TerminalFacts>;

  /** The codes of a list. They change rarely: cache them. */
  codes(list: CodeList): Promise<readonly string[]>;
}
