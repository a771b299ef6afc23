import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel';
import { parisDay } from '#onboarding';
import { CLOCK, jsonPointer, Problem } from '#platform';
import type { AccountMode, Onboarding } from '#psp';
import { CodeLists } from './code-lists.js';
import { type CompanyBasis, codesOfDetails, type GivenCode } from './codes-of-details.js';
import type { CompanyChangeDto } from './company.dto.js';
import { type Fault, ruleFaults } from './details-rules.js';

/** Where the checked fields stand in the request. */
type Root = readonly string[];

/** The provider of a mode, which is asked for its lists. */
export interface Partner {
  readonly mode: AccountMode;
  readonly client: Onboarding;
}

const refuse = (faults: readonly Fault[], root: Root): void => {
  if (faults.length === 0) return;
  throw new Problem(422, 'validation_failed', 'some fields are not as they must be', {
    errors: faults.map(({ path, code, detail }) => ({
      code,
      detail,
      pointer: jsonPointer([...root, ...path]),
    })),
  });
};

/**
 * Checks of a merchant's details before the provider is asked: its own lists of codes, and what can
 * be told from the details themselves. Throws `Problem` 422 with a pointer to each fault, or 503
 * when a list cannot be read.
 */
@Injectable()
export class DetailsCheck {
  constructor(
    private readonly lists: CodeLists,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** `known`: the country and legal form of a company that is changed. */
  async details(
    partner: Partner,
    details: CompanyChangeDto,
    known: CompanyBasis = {},
  ): Promise<void> {
    const rules = ruleFaults(details, known.country, parisDay(this.clock.now()));
    await this.check(partner, rules, codesOfDetails(details, known), ['details']);
  }

  /** What is wrong already, and the codes that are in none of the provider's lists. */
  async check(
    { client, mode }: Partner,
    faults: readonly Fault[],
    codes: readonly GivenCode[],
    root: Root,
  ): Promise<void> {
    const unknown = await Promise.all(
      codes.map(async ({ path, code, list }): Promise<Fault[]> => {
        const holds = await this.lists.holds(client, mode, list, code);
        // Of an unknown country there is no list: the country itself is refused.
        if (holds !== false) return [];
        const detail = `is not in the provider’s list of ${list.list}`;
        return [{ path, code: 'unknown_code', detail }];
      }),
    );
    refuse([...faults, ...unknown.flat()], root);
  }
}
