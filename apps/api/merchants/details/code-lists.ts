import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '#kernel';
import {
  type AccountMode,
  type CodeList,
  isProviderError,
  type Onboarding,
  RecentCache,
} from '#psp';
import { problem } from '../../shared/error-codes.js';

type Codes = ReadonlySet<string>;

/**
 * How long a list of codes is cached. An outdated list does no harm: the lists change a few times a
 * year, and the provider checks every code too.
 */
const KEPT_MS = 6 * HOUR_MS;
const MAX_KEPT = 2_000;
const RETRY_SECONDS = 5;

const readCodes = async (client: Onboarding, list: CodeList): Promise<Codes> =>
  new Set(await client.codes(list));

/** The provider's lists of codes, cached for some hours. */
@Injectable()
export class CodeLists {
  private readonly kept = new RecentCache<Codes>(MAX_KEPT, KEPT_MS);
  /** The reads in progress: concurrent checks of one list share a read. */
  private readonly reading = new Map<string, Promise<Codes>>();

  /**
   * Whether the code is in the list; null when the provider has no such list, because the country
   * or legal form is unknown to the provider. Throws `Problem` 503 `reference_data_unavailable`
   * when a list cannot be read.
   */
  async holds(
    client: Onboarding,
    mode: AccountMode,
    list: CodeList,
    code: string,
  ): Promise<boolean | null> {
    if (!(await this.hasList(client, mode, list))) return null;
    return (await this.codes(client, mode, list)).has(code);
  }

  private async hasList(client: Onboarding, mode: AccountMode, list: CodeList): Promise<boolean> {
    if (list.list === 'legal_forms') {
      const countries = { list: 'countries', of: 'legal_form' } as const;
      return (await this.codes(client, mode, countries)).has(list.of);
    }
    if (list.list !== 'positions') return true;
    const forms = { list: 'legal_forms', of: list.country } as const;
    return (await this.holds(client, mode, forms, list.of)) === true;
  }

  private async codes(client: Onboarding, mode: AccountMode, list: CodeList): Promise<Codes> {
    const key = `${mode} ${list.list} ${'of' in list ? list.of : ''}`;
    const read = (): Promise<Codes> => {
      const reading = this.reading.get(key) ?? readCodes(client, list);
      this.reading.set(key, reading);
      return reading.finally(() => this.reading.delete(key));
    };
    try {
      return (await this.kept.get(key, read)) ?? new Set();
    } catch (error) {
      if (!isProviderError(error)) throw error;
      const headers = { 'retry-after': String(RETRY_SECONDS) };
      throw problem('reference_data_unavailable', { headers, cause: error });
    }
  }
}
