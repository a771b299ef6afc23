import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel';
import { parisDay } from '#onboarding';
import { CLOCK, jsonPointer } from '#platform';
import type { AccountMode, Onboarding } from '#psp';
import { problem } from '../../shared/error-codes.js';
import { CodeLists } from './code-lists.js';
import { type CompanyBasis, codesOfDetails, type GivenCode } from './codes-of-details.js';
import type { CompanyChangeDto } from './company.dto.js';
import { type Fault, ruleFaults } from './details-rules.js';

/** The JSON path in the request at which the checked fields begin. */
type Root = readonly string[];

/** The provider client of a mode, which reads the provider's lists of codes. */
export interface Partner {
  readonly mode: AccountMode;
  readonly client: Onboarding;
}

const refuse = (faults: readonly Fault[], root: Root): void => {
  if (faults.length === 0) return;
  throw problem('validation_failed', {
    errors: faults.map(({ path, code, detail }) => ({
      code,
      detail,
      pointer: jsonPointer([...root, ...path]),
    })),
  });
};

/**
 * Checks a merchant's details before they are sent: against the provider's lists of codes, and for
 * contradictions between fields. Throws `Problem` 422 with a pointer to each fault, or 503 when a
 * list cannot be read.
 */
@Injectable()
export class DetailsCheck {
  constructor(
    private readonly lists: CodeLists,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Checks the details. `known`: for a change, the stored country and legal form of the company.
   */
  async details(
    partner: Partner,
    details: CompanyChangeDto,
    known: CompanyBasis = {},
  ): Promise<void> {
    const rules = ruleFaults(details, known.country, parisDay(this.clock.now()));
    await this.check(partner, rules, codesOfDetails(details, known), ['details']);
  }

  /**
   * Checks each code against the provider's list. Throws one `Problem` that reports the given
   * faults and all unknown codes.
   */
  async check(
    { client, mode }: Partner,
    faults: readonly Fault[],
    codes: readonly GivenCode[],
    root: Root,
  ): Promise<void> {
    const unknown = await Promise.all(
      codes.map(async ({ path, code, list }): Promise<Fault[]> => {
        const holds = await this.lists.holds(client, mode, list, code);
        // For an unknown country the provider has no lists of codes, so only the country is
        // reported.
        if (holds !== false) return [];
        const detail = `is not in the provider’s list of ${list.list}`;
        return [{ path, code: 'unknown_code', detail }];
      }),
    );
    refuse([...faults, ...unknown.flat()], root);
  }
}
