import { type Clock, type Instant, plusMs, randomText } from '#kernel';
import { type CompanyStatus, parisDay } from '#onboarding';
import type { CompanyIdentity } from '#psp';

export interface ModelTerminal {
  readonly id: string;
  readonly name: string;
  status: string;
}

export interface ModelChange {
  readonly at: Instant;
  /** The instant from which the history shows the change. */
  readonly shownAt: Instant;
  readonly status: CompanyStatus;
}

export interface ModelCompany {
  readonly id: string;
  readonly account: string;
  readonly email: string;
  /** The legal id as a SIRET, even if a SIREN was sent. */
  readonly legalId: string;
  readonly changes: ModelChange[];
  readonly terminals: ModelTerminal[];
}

/** Maps our names of company statuses to the provider's names. */
export const STATUS_AT_PROVIDER: Readonly<Record<CompanyStatus, string>> = {
  incomplete: 'notComplete',
  in_review: 'pendingActivation',
  validated: 'validated',
  available: 'available',
  closing: 'pendingDeactivation',
  closed: 'deactivate',
};

const isEnding = (status: CompanyStatus): boolean => status === 'closing' || status === 'closed';

/**
 * A model of the provider's companies and their status history, as the provider documents them,
 * with a separate clock.
 */
export class PartnerModel {
  readonly companies = new Map<string, ModelCompany>();

  constructor(readonly clock: Clock) {}

  /** Creates a company; returns null when the email is in use. */
  create({ email, registrationNumber }: CompanyIdentity): ModelCompany | null {
    if ([...this.companies.values()].some((company) => company.email === email)) return null;
    const at = this.clock.now();
    const company: ModelCompany = {
      id: `comp_${randomText(24)}`,
      account: `acct_${randomText(24)}`,
      email,
      legalId: registrationNumber.padEnd(14, '0'),
      terminals: [],
      changes: [{ at, shownAt: at, status: 'incomplete' }],
    };
    this.companies.set(company.id, company);
    return company;
  }

  company(id: string): ModelCompany {
    const company = this.companies.get(id);
    if (company === undefined) throw new Error(`no company ${id}`);
    return company;
  }

  statusOf(id: string): CompanyStatus {
    return this.company(id).changes.at(-1)?.status ?? 'incomplete';
  }

  change(id: string, status: CompanyStatus, lateMs = 0): void {
    if (this.statusOf(id) === status) return;
    const at = this.clock.now();
    this.company(id).changes.push({ at, shownAt: plusMs(at, lateMs), status });
  }

  /** The latest status change of each company from `since` (inclusive) to `until` (exclusive). */
  history(since: string, until: string): readonly object[] {
    const now = this.clock.now();
    return [...this.companies.values()].flatMap(({ id, changes }) => {
      const last = changes.findLast(
        ({ at, shownAt }) => shownAt <= now && parisDay(at) >= since && parisDay(at) < until,
      );
      if (last === undefined) return [];
      return [
        {
          id,
          'date-update': parisDay(last.at),
          status: STATUS_AT_PROVIDER[last.status],
          'terminated-by-service': isEnding(last.status) ? false : null,
        },
      ];
    });
  }

  /**
   * The last status change of each day: the status history of a past day contains only this change.
   */
  lastOfDays(id: string): readonly { readonly day: string; readonly status: CompanyStatus }[] {
    const lasts = new Map<string, CompanyStatus>();
    for (const { at, status } of this.company(id).changes) lasts.set(parisDay(at), status);
    return [...lasts].map(([day, status]) => ({ day, status }));
  }
}
