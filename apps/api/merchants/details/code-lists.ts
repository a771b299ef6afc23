import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '#kernel';
import { Problem } from '#platform';
import { type AccountMode, isProviderError, RecentCache } from '#psp';
import type { CountryUse, OnboardingLookups } from '#psp-hosted';

/** A list of the provider's that a code must be in; `of`: which one, where there are several. */
export type CodeList =
  | {
      readonly list:
        'activities' | 'services' | 'languages' | 'fieldsOfActivity';
    }
  | { readonly list: 'countries'; readonly of: CountryUse }
  | { readonly list: 'legalForms'; readonly of: string }
  | { readonly list: 'averageBaskets' | 'forecastTurnovers'; readonly of: 'eur' }
  /** Of a legal form, which is one of the country's. */
  | { readonly list: 'positions'; readonly of: string; readonly country: string };

type Codes = ReadonlySet<string>;

/** They change a few times a year, and the provider has the last word all the same. */
const KEPT_MS = 6 * HOUR_MS;
const MAX_KEPT = 2_000;
const RETRY_SECONDS = 5;

const unreadable = (cause: unknown): Problem =>
  new Problem(
    503, 'lookups_unavailable',
    'the provider’s lists of codes cannot be read now: repeat the request later; nothing was done',
    { headers: { 'retry-after': String(RETRY_SECONDS) }, cause },
  );

const readCodes = async (lookups: OnboardingLookups, list: CodeList): Promise<Codes> => {
  const codesOf = (rows: readonly { readonly code: string }[]): Codes =>
    new Set(rows.map(({ code }) => code));
  switch (list.list) {
    case 'activities':
      return codesOf(await lookups.activities());
    case 'services':
      return codesOf(await lookups.services());
    case 'languages':
      return codesOf(await lookups.languages());
    case 'fieldsOfActivity':
      return codesOf(await lookups.fieldsOfActivity());
    case 'countries':
      return new Set(await lookups.countries(list.of));
    case 'legalForms':
      return codesOf(await lookups.legalForms(list.of));
    case 'averageBaskets':
      return codesOf(await lookups.averageBaskets(list.of));
    case 'forecastTurnovers':
      return codesOf(await lookups.forecastTurnovers(list.of));
    case 'positions':
      return codesOf(await lookups.positions(list.of));
  }
};

/** The provider's lists of codes, each read once in some hours. */
@Injectable()
export class CodeLists {
  private readonly kept = new RecentCache<Codes>(MAX_KEPT, KEPT_MS);
  /** A company asks for one list many times at once. */
  private readonly reading = new Map<string, Promise<Codes>>();

  /**
   * Whether the code is in the list. Null when there is no such list: it is that of a country or a
   * legal form that the provider does not know. Throws `Problem` 503 `lookups_unavailable` when a
   * list cannot be read: what is not known to be wrong is not refused.
   */
  async holds(
    lookups: OnboardingLookups, mode: AccountMode, list: CodeList, code: string,
  ): Promise<boolean | null> {
    if (!(await this.hasList(lookups, mode, list))) return null;
    return (await this.codes(lookups, mode, list)).has(code);
  }

  private async hasList(
    lookups: OnboardingLookups, mode: AccountMode, list: CodeList,
  ): Promise<boolean> {
    if (list.list === 'legalForms') {
      const countries = { list: 'countries', of: 'legal_form' } as const;
      return (await this.codes(lookups, mode, countries)).has(list.of);
    }
    if (list.list !== 'positions') return true;
    const forms = { list: 'legalForms', of: list.country } as const;
    return (await this.holds(lookups, mode, forms, list.of)) === true;
  }

  private async codes(
    lookups: OnboardingLookups, mode: AccountMode, list: CodeList,
  ): Promise<Codes> {
    const key = `${mode} ${list.list} ${'of' in list ? list.of : ''}`;
    const read = (): Promise<Codes> => {
      const reading = this.reading.get(key) ?? readCodes(lookups, list);
      this.reading.set(key, reading);
      return reading.finally(() => this.reading.delete(key));
    };
    try {
      return (await this.kept.get(key, read)) ?? new Set();
    } catch (error) {
      throw isProviderError(error) ? unreadable(error) : error;
    }
  }
}
