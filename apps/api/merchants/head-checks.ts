import { Inject, Injectable } from '@nestjs/common';
import { type Clock, Rejection } from '#kernel';
import { parisDay } from '#onboarding';
import { CLOCK, jsonPointer, Problem } from '#platform';
import type { CompanyFacts, HeadRole, OwnerDetails, RepresentativeDetails } from '#psp';
import { DetailsCheck } from './details/check-details.js';
import {
  type CompanyBasis,
  codesOfOwner,
  codesOfRepresentative,
} from './details/codes-of-details.js';
import { futureDays, registrationFault, representativeFaults } from './details/details-rules.js';
import type {
  OwnerChangeDto,
  OwnerDto,
  RepresentativeChangeDto,
  RepresentativeDto,
} from './details/head.dto.js';
import { given } from './details/given.js';
import { asking, type CompanyAtProvider } from './partners.js';

export type HeadInput = OwnerDto | OwnerChangeDto | RepresentativeDto | RepresentativeChangeDto;

/** `comp_…` is a legal person, whose fields are under `company`. */
const keyOf = (headId: string): 'person' | 'company' =>
  headId.startsWith('comp_') ? 'company' : 'person';

/** As it is sent. */
export type HeadDetails = OwnerDetails | RepresentativeDetails;

export const basisOf = ({ details }: CompanyFacts): CompanyBasis => ({
  country: details.company?.country,
  legalForm: details.company?.legalForm,
});

/** Checks of one head, and what of it is sent. */
@Injectable()
export class HeadChecks {
  constructor(
    private readonly check: DetailsCheck,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws `Problem` 422, or 503 when a list of codes cannot be read. */
  async newHead(
    at: CompanyAtProvider,
    role: HeadRole,
    head: HeadInput,
    reference: string,
  ): Promise<HeadDetails> {
    const rules = role === 'owner' ? [] : representativeFaults(head as RepresentativeDto, []);
    const days = futureDays(head, parisDay(this.clock.now()));
    await this.check.check(at, [...rules, ...days], await this.codesOf(at, role, head), []);
    const sent: HeadDetails = given(head);
    return { ...sent, reference };
  }

  /** Throws also `Rejection('head_not_found')` for an id of neither kind. */
  async changedHead(
    at: CompanyAtProvider,
    role: HeadRole,
    headId: string,
    head: HeadInput,
  ): Promise<HeadDetails> {
    const key = keyOf(headId);
    this.refuseOther(head, key);
    const company = 'company' in head ? head.company : undefined;
    const number = registrationFault(company?.registrationNumber, company?.country, [
      'company',
      'registrationNumber',
    ]);
    const days = futureDays(head, parisDay(this.clock.now()));
    await this.check.check(at, [...number, ...days], await this.codesOf(at, role, head), []);
    const sent: RepresentativeDetails = given(head);
    return { ...sent, [key]: { ...sent[key], id: headId } };
  }

  private refuseOther(head: HeadInput, key: 'person' | 'company'): void {
    if (Object.keys(given(head)).length === 0) {
      throw new Problem(422, 'validation_failed', 'give at least one field to change', {
        errors: [{ detail: 'must hold at least one field', pointer: '#' }],
      });
    }
    const other = key === 'person' ? 'company' : 'person';
    if ((head as Readonly<Record<string, unknown>>)[other] === undefined) return;
    throw new Problem(422, 'validation_failed', `this id is that of a ${key}`, {
      errors: [{ detail: `this id is that of a ${key}`, pointer: jsonPointer([other]) }],
    });
  }

  private async codesOf(at: CompanyAtProvider, role: HeadRole, head: HeadInput) {
    if (role === 'owner') return codesOfOwner(head, []);
    const company = await asking('company', at.client.getCompany(at.companyId));
    return codesOfRepresentative(head as RepresentativeDto, basisOf(company), []);
  }
}

const HEAD_ID = /^(?:pers|comp)_[A-Za-z0-9]{24}$/;

/** An id in a path; the provider is not asked for one that it never gives. */
export const headIdIn = (text: string): string => {
  if (HEAD_ID.test(text)) return text;
  throw new Rejection('head_not_found', 'the merchant has no such person');
};
