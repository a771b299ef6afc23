import type {
  CodeList,
  CompanyChange,
  CompanyDetails,
  CompanyFacts,
  CompanyKeys,
  DocumentUpload,
  PersonRole,
  Onboarding,
  OpenedDocument,
  OwnerDetails,
  ProgressFacts,
  RepresentativeDetails,
  StatusHistory,
  TerminalFacts,
} from '#psp';
import type { OnboardingClient } from './onboarding-client.js';
import { wireOf } from './onboarding-details.js';
import { companyOf, historyOf, progressOf, terminalOf } from './onboarding-facts.js';
import { refusedInOurWords } from './onboarding-refusals.js';
import { COUNTRY, LEGAL_FORM, PRODUCT, RANGE, SNAKE } from './wire-codes.js';
import { type Code, SAME } from './wire-mapping.js';

const LISTS = { owner: 'owners', representative: 'representatives' } as const;

const asking = async <T>(call: Promise<T>, prefix = ''): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw refusedInOurWords(error, prefix);
  }
};

/** The provider's onboarding API, in the words of the port. */
export class HostedOnboarding implements Onboarding {
  readonly #client: OnboardingClient;

  constructor(client: OnboardingClient) {
    this.#client = client;
  }

  async createCompany(details: CompanyDetails, merchantId: string): Promise<CompanyFacts> {
    return companyOf(await asking(this.#client.createCompany(wireOf(details), merchantId)));
  }

  async getCompany(companyId: string): Promise<CompanyFacts> {
    return companyOf(await asking(this.#client.getCompany(companyId)));
  }

  async changeCompany(companyId: string, change: CompanyChange): Promise<CompanyFacts> {
    return companyOf(await asking(this.#client.changeCompany(companyId, wireOf(change))));
  }

  /**
   * The first row of a company's history is its creation
   * (docs/provider/onboarding-completion.md#creation).
   */
  async createdCompanies(
    since: string,
    until: string,
  ): Promise<{ readonly companyIds: readonly string[]; readonly unreadable: number }> {
    const { changes, unreadable } = await this.statusHistory(since, until);
    return { companyIds: [...new Set(changes.map(({ companyId }) => companyId))], unreadable };
  }

  async statusHistory(since: string, until: string): Promise<StatusHistory> {
    return historyOf(await asking(this.#client.statusHistory(since, until)));
  }

  async progress(companyId: string): Promise<ProgressFacts> {
    return progressOf(await asking(this.#client.registrationProgress(companyId)));
  }

  signatureLink(companyId: string): Promise<string> {
    return asking(this.#client.subscriptionLink(companyId));
  }

  companyKeys(companyId: string): Promise<CompanyKeys> {
    return asking(this.#client.companyKeys(companyId));
  }

  async putPerson(
    companyId: string,
    role: PersonRole,
    details: OwnerDetails | RepresentativeDetails,
  ): Promise<CompanyFacts> {
    const list = LISTS[role];
    const change = wireOf({ [list]: [details] });
    return companyOf(await asking(this.#client.changeCompany(companyId, change), `${list}.0.`));
  }

  removePerson(companyId: string, personId: string, role: PersonRole): Promise<void> {
    return asking(this.#client.removePerson(companyId, personId, role));
  }

  async sendDocuments(
    companyId: string,
    to: string,
    upload: DocumentUpload,
  ): Promise<readonly string[]> {
    const { files } = await asking(this.#client.sendDocuments(companyId, to, upload));
    return files.map(({ id }) => id);
  }

  readDocument(companyId: string, documentId: string): Promise<OpenedDocument> {
    return asking(this.#client.readDocument(companyId, documentId));
  }

  removeDocument(companyId: string, documentId: string): Promise<void> {
    return asking(this.#client.removeDocument(companyId, documentId));
  }

  async orderTerminal(companyId: string, accountId: string, name: string): Promise<TerminalFacts> {
    return terminalOf(await asking(this.#client.orderTerminal(companyId, accountId, name)));
  }

  async listTerminals(companyId: string, accountId: string): Promise<readonly TerminalFacts[]> {
    return (await asking(this.#client.listTerminals(companyId, accountId))).map(terminalOf);
  }

  async cancelTerminal(
    companyId: string,
    accountId: string,
    terminalId: string,
  ): Promise<TerminalFacts> {
    const canceled = this.#client.cancelTerminal(companyId, accountId, terminalId);
    return terminalOf(await asking(canceled));
  }

  async codes(list: CodeList): Promise<readonly string[]> {
    const { path, query, code } = lookupOf(list);
    const codes = await asking(this.#client.codes(path, query));
    return codes.map((one) => String(code.toOurs(one)));
  }
}

interface Lookup {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The provider's spelling of the codes. */
  readonly code: Code;
}

const wireCode = (code: Code, ours: string): string => String(code.toWire(ours));

/** The provider's lists (docs/provider/onboarding.md#lookups). */
const lookupOf = (list: CodeList): Lookup => {
  switch (list.list) {
    case 'activities':
      return { path: '/naf-code', code: SAME };
    case 'products':
      return { path: '/service', code: PRODUCT };
    case 'languages':
      return { path: '/language', code: SAME };
    case 'sectors':
      return { path: '/field-of-activity', code: SNAKE };
    case 'countries':
      return { path: '/countries', query: { type: list.of }, code: COUNTRY };
    case 'legal_forms': {
      const query = { country: wireCode(COUNTRY, list.of) };
      return { path: '/legal-form', query, code: LEGAL_FORM };
    }
    case 'average_baskets':
      return { path: '/average-basket', query: { currency: list.of.toLowerCase() }, code: RANGE };
    case 'forecast_turnovers':
      return {
        path: '/forecast-turnover',
        query: { currency: list.of.toLowerCase() },
        code: RANGE,
      };
    case 'positions': {
      const query = { 'legal-form': wireCode(LEGAL_FORM, list.of) };
      return { path: '/legal-form-position', query, code: SNAKE };
    }
  }
};
