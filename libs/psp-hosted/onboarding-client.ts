import { assert } from '#kernel';
import { type DocumentUpload, MAX_DOCUMENT_BYTES, type OpenedDocument } from '#psp';
import { ONBOARDING_REFUSALS } from './classify-outcome.js';
import { uploadContent } from './document-upload.js';
import {
  decodeCompanyAnswer,
  decodeUploads,
  type WireCompanyAnswer,
  type WireUploads,
} from './onboarding-company-wire.js';
import {
  decodeCodes,
  decodeDeleted,
  decodeHistory,
  decodeKeys,
  decodeLink,
  decodeProgress,
  decodeTerminal,
  decodeTerminals,
  decodeUploadResult,
  type WireHistory,
  type WireKeys,
  type WireProgress,
  type WireTerminal,
  type WireUploadResult,
} from './onboarding-wire.js';
import type { ProviderRequest } from './provider-request.js';
import { ProviderTransport, type TransportListeners } from './provider-transport.js';
import type { TransportLimits } from './transport-limits.js';
import { isIdOf, MalformedWire } from './wire-decode.js';

/**
 * The maximum size of a history response. A row is about 120 bytes: this is a day on which a
 * quarter of a million companies changed.
 */
const MAX_HISTORY_BYTES = 32 * 1_024 * 1_024;

/** The two addresses of the onboarding API. Create one per process and environment. */
export interface OnboardingTransports {
  readonly partners: ProviderTransport;
  readonly manage: ProviderTransport;
}

/** `partnersUrl` ends in /api/partners; `manageUrl` may be another host (completion). */
export const onboardingTransports = (
  partnersUrl: string,
  manageUrl: string,
  limits: Partial<TransportLimits> = {},
  listeners: TransportListeners = {},
): OnboardingTransports => ({
  partners: new ProviderTransport(partnersUrl, limits, ONBOARDING_REFUSALS, listeners),
  manage: new ProviderTransport(
    `${manageUrl.replace(/\/+$/, '')}/api/partners`,
    { maxAnswerBytes: MAX_HISTORY_BYTES, ...limits },
    ONBOARDING_REFUSALS,
    listeners,
  ),
});

const COMPANY = '/company';
const DOCUMENT = '/document';
const UPLOAD = '/document/{id}';
const TERMINAL = '/payment-terminal';

/** Checks that a response is about the requested company; otherwise it is rejected. */
const about =
  <T>(company: string, decode: (value: unknown) => T, companyOf: (decoded: T) => string) =>
  (value: unknown): T => {
    const decoded = decode(value);
    if (companyOf(decoded) === company) return decoded;
    throw new MalformedWire('company must be the one asked for');
  };

/**
 * The token of an upload address. Only the token is used, below our configured address, so that no
 * response can redirect a merchant's documents.
 */
const tokenOf = (uploadUrl: string): string => {
  const token = /\/document\/([A-Za-z0-9]{30})$/.exec(uploadUrl)?.[1];
  assert(token, 'an upload address is one that the provider gave');
  return token;
};

const deleted =
  (id: string) =>
  (value: unknown): void => {
    const answer = decodeDeleted(value);
    if (!answer.deleted || answer.id !== id) throw new MalformedWire('it must say what is deleted');
  };

async function* limited(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > MAX_DOCUMENT_BYTES) throw new MalformedWire('a document has at most 10 MiB');
    yield chunk;
  }
}

/**
 * The onboarding API with one partner key. It sends and returns the provider's formats without
 * interpreting them. Every method throws a `ProviderError` as `PaymentClient` does: reads are
 * repeated within limits, writes never, and a write with `ProviderUnknownOutcome` may have been
 * executed. A rejection has the provider's error type in `code` (`email-unavailable`, `validation`,
 * …), and the fields that caused it in `faults`.
 */
export class OnboardingClient {
  readonly #partners: ProviderTransport;
  readonly #manage: ProviderTransport;
  readonly #partnerKey: string;

  constructor({ partners, manage }: OnboardingTransports, partnerKey: string) {
    this.#partners = partners;
    this.#manage = manage;
    this.#partnerKey = partnerKey;
  }

  /**
   * Creates a company. After an unknown result, first search it by its day's history, email and
   * legal id. `merchantId` is our id for the call log; the provider accepts none.
   */
  createCompany(body: object, merchantId?: string): Promise<WireCompanyAnswer> {
    const about = merchantId === undefined ? {} : { about: merchantId };
    return this.#send(
      { method: 'POST', pathTemplate: COMPANY, body, ...about },
      decodeCompanyAnswer,
    );
  }

  getCompany(companyId: string): Promise<WireCompanyAnswer> {
    return this.#onCompany(companyId, { method: 'GET', pathTemplate: COMPANY });
  }

  /**
   * Changes a company. Persons without an id are added by each call: after an unknown result, read
   * before a repetition.
   */
  changeCompany(companyId: string, body: object): Promise<WireCompanyAnswer> {
    return this.#onCompany(companyId, { method: 'PATCH', pathTemplate: COMPANY, body });
  }

  /**
   * Removes a person; `personId` is `pers_…`, or `comp_…` of a legal person. 409 for the last
   * representative.
   */
  removePerson(
    companyId: string,
    personId: string,
    type: 'owner' | 'representative',
  ): Promise<void> {
    assert(
      isIdOf(personId, 'pers') || isIdOf(personId, 'comp'),
      'an owner or representative is a person or a company',
    );
    const query = { ...this.#of(companyId), id: personId, type };
    return this.#ofCompany(
      companyId,
      { method: 'DELETE', pathTemplate: '/company-head', query },
      deleted(personId),
    );
  }

  uploadUrls(companyId: string): Promise<WireUploads> {
    return this.#get('/document-upload-url', companyId, decodeUploads);
  }

  /**
   * Forwards documents while they arrive. Also throws the `Rejection`s of `DocumentUpload`, and any
   * error of the content stream; then the provider has stored nothing.
   */
  sendDocuments(
    companyId: string,
    uploadUrl: string,
    content: DocumentUpload,
  ): Promise<WireUploadResult> {
    const { company } = this.#of(companyId);
    const method = content.replaces === true ? 'PATCH' : 'POST';
    const id = tokenOf(uploadUrl);
    const decode = about(company, decodeUploadResult, (result) => result.company);
    const upload = uploadContent(content);
    // The token authorizes the upload, so the log contains the company's id in its place.
    return this.#ofCompany(company, { method, pathTemplate: UPLOAD, id, upload }, decode);
  }

  /** Reads a document; 403 `not-allowed` after the registration was finalized. */
  async readDocument(companyId: string, documentId: string): Promise<OpenedDocument> {
    const query = this.#ofDocument(companyId, documentId);
    const answer = await this.#partners.open(this.#partnerKey, {
      method: 'GET',
      pathTemplate: DOCUMENT,
      query,
      about: companyId,
    });
    const mediaType = String(answer.headers['content-type'] ?? 'application/octet-stream');
    return { mediaType, content: limited(answer.body) };
  }

  removeDocument(companyId: string, documentId: string): Promise<void> {
    const query = this.#ofDocument(companyId, documentId);
    return this.#ofCompany(
      companyId,
      { method: 'DELETE', pathTemplate: DOCUMENT, query },
      deleted(documentId),
    );
  }

  /** The address at which the merchant reviews and signs; it shows the details to every visitor. */
  async subscriptionLink(companyId: string): Promise<string> {
    return (await this.#get('/subscription-link', companyId, decodeLink)).link;
  }

  registrationProgress(companyId: string): Promise<WireProgress> {
    const ofCompany = about(companyId, decodeProgress, ({ company }) => company);
    return this.#get('/registration-progress', companyId, ofCompany);
  }

  /**
   * The most recent change of each company in the window of days, including `since` and excluding
   * `until`.
   */
  statusHistory(since: string, until: string): Promise<WireHistory> {
    const query = { since, until };
    const request = { method: 'GET', pathTemplate: '/company-status-history', query } as const;
    return this.#manage.send(this.#partnerKey, request, decodeHistory);
  }

  /** The company's keys; 409 `not-allowed` before `available`, and from `deactivate` on. */
  companyKeys(companyId: string): Promise<WireKeys> {
    return this.#get('/company-keys', companyId, decodeKeys);
  }

  /** Orders a terminal. After an unknown result the list shows whether a new one exists. */
  orderTerminal(companyId: string, accountId: string, name: string): Promise<WireTerminal> {
    const query = { ...this.#ofAccount(companyId, accountId), name };
    return this.#ofCompany(
      companyId,
      { method: 'POST', pathTemplate: TERMINAL, query },
      decodeTerminal,
    );
  }

  listTerminals(companyId: string, accountId: string): Promise<readonly WireTerminal[]> {
    const query = this.#ofAccount(companyId, accountId);
    return this.#ofCompany(
      companyId,
      { method: 'GET', pathTemplate: TERMINAL, query },
      decodeTerminals,
    );
  }

  /** Cancels a terminal; 409 unless its order is pending. */
  cancelTerminal(companyId: string, accountId: string, terminalId: string): Promise<WireTerminal> {
    assert(isIdOf(terminalId, 'term'), 'a terminal is addressed by a term_ id');
    const query = { ...this.#ofAccount(companyId, accountId), 'payment-terminal': terminalId };
    const pathTemplate = '/cancel-payment-terminal-order';
    return this.#ofCompany(companyId, { method: 'POST', pathTemplate, query }, decodeTerminal);
  }

  /** One of the lists of codes, e.g. at `/legal-form`. They change rarely: cache the result. */
  codes(
    pathTemplate: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<readonly string[]> {
    return this.#send({ method: 'GET', pathTemplate, query }, decodeCodes);
  }

  #of(companyId: string): { readonly company: string } {
    assert(isIdOf(companyId, 'comp'), 'a company is addressed by a comp_ id');
    return { company: companyId };
  }

  #ofAccount(companyId: string, accountId: string): Readonly<Record<string, string>> {
    assert(isIdOf(accountId, 'acct'), 'an account is addressed by an acct_ id');
    return { ...this.#of(companyId), account: accountId };
  }

  #ofDocument(companyId: string, documentId: string): Readonly<Record<string, string>> {
    assert(isIdOf(documentId, 'dcmt'), 'a document is addressed by a dcmt_ id');
    return { ...this.#of(companyId), document: documentId };
  }

  #send<T>(request: ProviderRequest, decode: (value: unknown) => T): Promise<T> {
    return this.#partners.send(this.#partnerKey, request, decode);
  }

  #ofCompany<T>(
    companyId: string,
    request: ProviderRequest,
    decode: (value: unknown) => T,
  ): Promise<T> {
    return this.#send({ ...request, about: companyId }, decode);
  }

  #get<T>(pathTemplate: string, companyId: string, decode: (value: unknown) => T): Promise<T> {
    const query = this.#of(companyId);
    return this.#ofCompany(companyId, { method: 'GET', pathTemplate, query }, decode);
  }

  #onCompany(
    companyId: string,
    request: Pick<ProviderRequest, 'method' | 'pathTemplate' | 'body'>,
  ): Promise<WireCompanyAnswer> {
    const { company: id } = this.#of(companyId);
    const decode = about(id, decodeCompanyAnswer, ({ company }) => company.id);
    return this.#ofCompany(id, { ...request, query: { id } }, decode);
  }
}
