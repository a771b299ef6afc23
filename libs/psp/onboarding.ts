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

/** The maximum size of a document. */
export const MAX_DOCUMENT_BYTES = 10 * 1_024 * 1_024;

/** The maximum number of simultaneous uploads in one process. */
export const MAX_DOCUMENT_TRANSFERS = 32;

/**
 * A file to forward. Its content can be read once, and is read only as fast as the provider
 * receives it.
 */
export interface DocumentFile {
  /** The file's name, as given by the sender; the content type is detected from the content. */
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The data of an identity card; days are `YYYY-MM-DD`. */
export interface IdentityMeta {
  readonly issuedOn: string;
  readonly expiresOn: string;
  readonly number: string;
}

export interface DocumentUpload {
  /**
   * The files. They are sent one after another: the next file is requested only when the previous
   * file has been sent.
   */
  readonly files: Iterable<DocumentFile> | AsyncIterable<DocumentFile>;
  /**
   * Returns the data of the identity card; called after the last file, because a sender may send
   * the data after the files.
   */
  readonly meta?: () => IdentityMeta | null;
  /** Whether the upload replaces the current documents. */
  readonly replaces?: boolean;
}

/** A file whose content is still arriving: read the content to its end, or `destroy` it. */
export interface OpenedDocument {
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The purposes for which the provider has separate lists of country codes. */
export type CountryUse = 'address' | 'birth' | 'legal_form' | 'nationality';

/**
 * Identifies a list of codes; `of` selects a list if the provider has several lists for the
 * purpose.
 */
export type CodeList =
  | { readonly list: 'activities' | 'products' | 'languages' | 'sectors' }
  | { readonly list: 'countries'; readonly of: CountryUse }
  | { readonly list: 'legal_forms'; readonly of: string }
  | { readonly list: 'average_baskets' | 'forecast_turnovers'; readonly of: 'EUR' }
  /**
   * A list of the positions that a representative can have in a company of this legal form and
   * country.
   */
  | { readonly list: 'positions'; readonly of: string; readonly country: string };

/**
 * Why the provider rejects an onboarding request: the `code` of a `ProviderRejected`. The field
 * errors of the rejection have our field paths. A code that is not listed here is the provider's
 * own code.
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
 * throws a `ProviderError`, as all methods of the port do.
 */
export interface Onboarding {
  /**
   * Creates a company. The provider stores no reference of ours, so after an unknown result first
   * search `createdCompanies` for a company with the same details. `merchantId` is for the call
   * log.
   */
  createCompany(details: CompanyDetails, merchantId: string): Promise<CompanyFacts>;
  getCompany(companyId: string): Promise<CompanyFacts>;
  changeCompany(companyId: string, change: CompanyChange): Promise<CompanyFacts>;
  /**
   * The ids of all companies that were created at or after `since` and before `until`; the result
   * may also contain companies that were created at other times.
   */
  createdCompanies(
    since: string,
    until: string,
  ): Promise<{
    readonly companyIds: readonly string[];
    readonly unreadable: number;
  }>;
  /** The last change of each company in the days from `since` to the day before `until`. */
  statusHistory(since: string, until: string): Promise<StatusHistory>;
  progress(companyId: string): Promise<ProgressFacts>;
  /**
   * The URL at which the merchant reviews the details and signs. Every visitor of the URL sees the
   * details.
   */
  signatureLink(companyId: string): Promise<string>;
  /**
   * The API keys of the company; rejected with 409 `not_allowed` while the company is not
   * available.
   */
  companyKeys(companyId: string): Promise<CompanyKeys>;

  /**
   * Adds a person or, if an id is given, changes the person with this id. `within`: the ids of the
   * legal persons that the representative represents, outermost first.
   */
  putPerson(
    companyId: string,
    role: PersonRole,
    details: OwnerDetails | RepresentativeDetails,
    within?: readonly string[],
  ): Promise<CompanyFacts>;
  /** Removes a person; rejected with 409 for the last representative. */
  removePerson(companyId: string, personId: string, role: PersonRole): Promise<void>;

  /**
   * Forwards documents while they arrive; returns their ids. Also throws `Rejection`
   * `document_empty`, `unsupported_document_type` and `document_too_large`, each with its field,
   * and any error of the content stream. In these cases the provider has stored nothing.
   */
  sendDocuments(companyId: string, to: string, upload: DocumentUpload): Promise<readonly string[]>;
  /** Reads a document; rejected with 403 `not_allowed` after the contract was signed. */
  readDocument(companyId: string, documentId: string): Promise<OpenedDocument>;
  removeDocument(companyId: string, documentId: string): Promise<void>;

  /**
   * Orders a terminal. After an unknown result, the list of terminals shows whether the order
   * created a terminal.
   */
  orderTerminal(companyId: string, accountId: string, name: string): Promise<TerminalFacts>;
  listTerminals(companyId: string, accountId: string): Promise<readonly TerminalFacts[]>;
  /** Cancels the order of a terminal; rejected with 409 if the order is not pending. */
  cancelTerminal(companyId: string, accountId: string, terminalId: string): Promise<TerminalFacts>;

  /** The codes of a list. The codes change rarely, so callers should cache them. */
  codes(list: CodeList): Promise<readonly string[]>;
}
