import { assert } from '#kernel';
import {
  type CodeList,
  type CompanyChange,
  type CompanyDetails,
  type CompanyFacts,
  type CompanyKeys,
  type DocumentUpload,
  MAX_DOCUMENT_BYTES,
  type Onboarding,
  type OpenedDocument,
  type OwnerDetails,
  type PersonRole,
  type ProgressFacts,
  type RepresentativeDetails,
  type StatusHistory,
  type TerminalFacts,
} from '#psp';
import { ONBOARDING_REFUSALS } from './classify-outcome.js';
import { uploadContent } from './document-upload.js';
import { decodeCompanyAnswer } from './onboarding-company-wire.js';
import { wireOf } from './onboarding-details.js';
import { companyOf, historyOf, progressOf, terminalOf } from './onboarding-facts.js';
import { lookupOf } from './onboarding-lookups.js';
import { refusedInOurWords } from './onboarding-refusals.js';
import {
  decodeCodes,
  decodeDeleted,
  decodeHistory,
  decodeKeys,
  decodeLink,
  decodeProgress,
  decodeTerminal,
  decodeUploadResult,
} from './onboarding-wire.js';
import type { ProviderRequest } from './provider-request.js';
import { ProviderTransport, type TransportListeners } from './provider-transport.js';
import type { TransportLimits } from './transport-limits.js';
import { isIdOf, MalformedWire } from './wire-decode.js';
import { listOf } from './wire-shape.js';

/**
 * The maximum size of a response with status history. A row has about 120 bytes, so the limit is
 * only reached on a day on which a quarter of a million companies change.
 */
const MAX_HISTORY_BYTES = 32 * 1_024 * 1_024;

/**
 * The connections to the two URLs of the onboarding API. Create one for each process and
 * environment.
 */
export interface OnboardingTransports {
  readonly partners: ProviderTransport;
  readonly manage: ProviderTransport;
}

/**
 * `partnersUrl` ends in /api/partners; `manageUrl` may be on another host
 * (docs/provider/onboarding-completion.md).
 */
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

const LISTS = { owner: 'owners', representative: 'representatives' } as const;

type Decode<T> = (value: unknown) => T;

const company = (value: unknown): CompanyFacts => companyOf(decodeCompanyAnswer(value));
const terminal = (value: unknown): TerminalFacts => terminalOf(decodeTerminal(value));
const terminals = listOf(terminal);

/** Accepts a response only if it is about the requested company. */
const about =
  <T>(companyId: string, decode: Decode<T>, idOf: (decoded: T) => string): Decode<T> =>
  (value) => {
    const decoded = decode(value);
    if (idOf(decoded) === companyId) return decoded;
    throw new MalformedWire('company must be the requested company');
  };

/**
 * The token of an upload URL. Only the token is used, in a path below our configured URL, so that
 * no response can send a merchant's documents elsewhere.
 */
const tokenOf = (uploadUrl: string): string => {
  const token = /\/document\/([A-Za-z0-9]{30})$/.exec(uploadUrl)?.[1];
  assert(token, 'invalid upload URL: use a URL that the provider returned');
  return token;
};

const deleted =
  (id: string) =>
  (value: unknown): void => {
    const answer = decodeDeleted(value);
    if (!answer.deleted || answer.id !== id)
      throw new MalformedWire('the response must contain the deleted id');
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
 * Maps a rejection to our error codes and field names; `prefix` is the path of the object that the
 * request was about.
 */
const inOurWords = async <T>(call: Promise<T>, prefix?: string): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw refusedInOurWords(error, prefix);
  }
};

/**
 * The client of the onboarding API with one partner key; the interface (port) documents each
 * method. As in `PaymentClient`, reads are repeated within limits, and writes are never repeated.
 */
export class OnboardingClient implements Onboarding {
  readonly #partners: ProviderTransport;
  readonly #manage: ProviderTransport;
  readonly #partnerKey: string;

  constructor({ partners, manage }: OnboardingTransports, partnerKey: string) {
    this.#partners = partners;
    this.#manage = manage;
    this.#partnerKey = partnerKey;
  }

  createCompany(details: CompanyDetails, merchantId: string): Promise<CompanyFacts> {
    const body = wireOf(details);
    return this.#send({ method: 'POST', pathTemplate: COMPANY, body, about: merchantId }, company);
  }

  getCompany(companyId: string): Promise<CompanyFacts> {
    return this.#onCompany(companyId, { method: 'GET', pathTemplate: COMPANY });
  }

  changeCompany(companyId: string, change: CompanyChange): Promise<CompanyFacts> {
    const body = wireOf(change);
    return this.#onCompany(companyId, { method: 'PATCH', pathTemplate: COMPANY, body });
  }

  putPerson(
    companyId: string,
    role: PersonRole,
    details: OwnerDetails | RepresentativeDetails,
    within: readonly string[] = [],
  ): Promise<CompanyFacts> {
    const list = LISTS[role];
    const item = within.reduceRight<OwnerDetails | RepresentativeDetails>(
      (inner, id) => ({ company: { id, representatives: [inner] } }),
      details,
    );
    const body = wireOf({ [list]: [item] });
    const request = { method: 'PATCH', pathTemplate: COMPANY, body } as const;
    const prefix = `${list}.0.${'company.representatives.0.'.repeat(within.length)}`;
    return this.#onCompany(companyId, request, prefix);
  }

  /** `personId` is `pers_…`, or `comp_…` if the person is a company. */
  removePerson(companyId: string, personId: string, type: PersonRole): Promise<void> {
    assert(
      isIdOf(personId, 'pers') || isIdOf(personId, 'comp'),
      'invalid id of an owner or representative: it must begin with `pers_` or `comp_`',
    );
    const query = { ...this.#of(companyId), id: personId, type };
    return this.#ofCompany(
      companyId,
      { method: 'DELETE', pathTemplate: '/company-head', query },
      deleted(personId),
    );
  }

  /**
   * The first row in the status history of a company is its creation
   * (docs/provider/onboarding-completion.md#creation).
   */
  async createdCompanies(
    since: string,
    until: string,
  ): Promise<{ readonly companyIds: readonly string[]; readonly unreadable: number }> {
    const { changes, unreadable } = await this.statusHistory(since, until);
    return { companyIds: [...new Set(changes.map(({ companyId }) => companyId))], unreadable };
  }

  statusHistory(since: string, until: string): Promise<StatusHistory> {
    const query = { since, until };
    const request = { method: 'GET', pathTemplate: '/company-status-history', query } as const;
    const history = (value: unknown) => historyOf(decodeHistory(value));
    return inOurWords(this.#manage.send(this.#partnerKey, request, history));
  }

  async progress(companyId: string): Promise<ProgressFacts> {
    const ofCompany = about(companyId, decodeProgress, (progress) => progress.company);
    return progressOf(await this.#get('/registration-progress', companyId, ofCompany));
  }

  async signatureLink(companyId: string): Promise<string> {
    return (await this.#get('/subscription-link', companyId, decodeLink)).link;
  }

  /**
   * Rejected with 409 `not_allowed` until the company is `available`, and again once its status is
   * `deactivate` or later.
   */
  companyKeys(companyId: string): Promise<CompanyKeys> {
    return this.#get('/company-keys', companyId, decodeKeys);
  }

  async sendDocuments(
    companyId: string,
    to: string,
    content: DocumentUpload,
  ): Promise<readonly string[]> {
    const method = content.replaces === true ? 'PATCH' : 'POST';
    const id = tokenOf(to);
    const decode = about(companyId, decodeUploadResult, (result) => result.company);
    const upload = uploadContent(content);
    // The token is a credential for the upload, so the call log contains the company's id instead.
    const request = { method, pathTemplate: UPLOAD, id, upload } as const;
    const { files } = await this.#ofCompany(this.#of(companyId).company, request, decode);
    return files.map((file) => file.id);
  }

  async readDocument(companyId: string, documentId: string): Promise<OpenedDocument> {
    const query = this.#ofDocument(companyId, documentId);
    const request = { method: 'GET', pathTemplate: DOCUMENT, query, about: companyId } as const;
    const answer = await inOurWords(this.#partners.open(this.#partnerKey, request));
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

  orderTerminal(companyId: string, accountId: string, name: string): Promise<TerminalFacts> {
    const query = { ...this.#ofAccount(companyId, accountId), name };
    return this.#ofCompany(companyId, { method: 'POST', pathTemplate: TERMINAL, query }, terminal);
  }

  listTerminals(companyId: string, accountId: string): Promise<readonly TerminalFacts[]> {
    const query = this.#ofAccount(companyId, accountId);
    return this.#ofCompany(companyId, { method: 'GET', pathTemplate: TERMINAL, query }, terminals);
  }

  cancelTerminal(companyId: string, accountId: string, terminalId: string): Promise<TerminalFacts> {
    assert(isIdOf(terminalId, 'term'), 'invalid terminal id: it must begin with `term_`');
    const query = { ...this.#ofAccount(companyId, accountId), 'payment-terminal': terminalId };
    const pathTemplate = '/cancel-payment-terminal-order';
    return this.#ofCompany(companyId, { method: 'POST', pathTemplate, query }, terminal);
  }

  async codes(list: CodeList): Promise<readonly string[]> {
    const { path: pathTemplate, query = {}, code } = lookupOf(list);
    const codes = await this.#send({ method: 'GET', pathTemplate, query }, decodeCodes);
    return codes.map((one) => String(code.toOurs(one)));
  }

  #of(companyId: string): { readonly company: string } {
    assert(isIdOf(companyId, 'comp'), 'invalid company id: it must begin with `comp_`');
    return { company: companyId };
  }

  #ofAccount(companyId: string, accountId: string): Readonly<Record<string, string>> {
    assert(isIdOf(accountId, 'acct'), 'invalid account id: it must begin with `acct_`');
    return { ...this.#of(companyId), account: accountId };
  }

  #ofDocument(companyId: string, documentId: string): Readonly<Record<string, string>> {
    assert(isIdOf(documentId, 'dcmt'), 'invalid document id: it must begin with `dcmt_`');
    return { ...this.#of(companyId), document: documentId };
  }

  #send<T>(request: ProviderRequest, decode: Decode<T>, prefix?: string): Promise<T> {
    return inOurWords(this.#partners.send(this.#partnerKey, request, decode), prefix);
  }

  #ofCompany<T>(
    companyId: string,
    request: ProviderRequest,
    decode: Decode<T>,
    prefix?: string,
  ): Promise<T> {
    return this.#send({ ...request, about: companyId }, decode, prefix);
  }

  #get<T>(pathTemplate: string, companyId: string, decode: Decode<T>): Promise<T> {
    const query = this.#of(companyId);
    return this.#ofCompany(companyId, { method: 'GET', pathTemplate, query }, decode);
  }

  #onCompany(
    companyId: string,
    request: Pick<ProviderRequest, 'method' | 'pathTemplate' | 'body'>,
    prefix?: string,
  ): Promise<CompanyFacts> {
    const { company: id } = this.#of(companyId);
    const decode = about(id, company, (facts) => facts.companyId);
    return this.#ofCompany(id, { ...request, query: { id } }, decode, prefix);
  }
}
