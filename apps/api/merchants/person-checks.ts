import { Inject, Injectable } from '@nestjs/common';
import { type Clock, Rejection } from '#kernel';
import { parisDay } from '#onboarding';
import { CLOCK, jsonPointer, type Problem } from '#platform';
import type { CompanyFacts, PersonRole, OwnerDetails, RepresentativeDetails } from '#psp';
import { problem } from '../shared/error-codes.js';
import { DetailsCheck } from './details/check-details.js';
import {
  type CompanyBasis,
  codesOfRepresentative,
  type GivenCode,
} from './details/codes-of-details.js';
import { futureDays, registrationFault, representativeFaults } from './details/details-rules.js';
import type {
  OwnerChangeDto,
  OwnerDto,
  RepresentativeChangeDto,
  RepresentativeDto,
} from './details/owner-and-representative.dto.js';
import { given } from './details/given.js';
import { asking, type CompanyAtProvider } from './partners.js';

export type OwnerOrRepresentativeInput =
  | OwnerDto
  | OwnerChangeDto
  | RepresentativeDto
  | RepresentativeChangeDto;

/**
 * The key of the person's fields: an id `comp_…` belongs to a legal person, whose fields are under
 * `company`.
 */
const keyOf = (personId: string): 'person' | 'company' =>
  personId.startsWith('comp_') ? 'company' : 'person';

/** The details as they are sent to the provider. */
export type OwnerOrRepresentativeDetails = OwnerDetails | RepresentativeDetails;

export const basisOf = ({ details }: CompanyFacts): CompanyBasis => ({
  country: details.company?.country,
  legalForm: details.company?.legalForm,
});

/** The codes of an owner are those of its person, as for a representative without a position. */
const codesOf = (input: OwnerOrRepresentativeInput, basis: CompanyBasis): readonly GivenCode[] =>
  codesOfRepresentative(input as RepresentativeDto, basis, []);

export const nothingGiven = (pointer: string): Problem =>
  problem('validation_failed', {
    detail: 'the request changes nothing: send at least one field',
    errors: [{ detail: 'must contain at least one field', pointer }],
  });

/**
 * Checks the request for an owner or representative, and returns the details to send to the
 * provider.
 */
@Injectable()
export class PersonChecks {
  constructor(
    private readonly check: DetailsCheck,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Checks a person that is added. Throws `Problem` 422, or 503 when a list of codes cannot be
   * read.
   */
  async added(
    at: CompanyAtProvider,
    role: PersonRole,
    input: OwnerOrRepresentativeInput,
    reference: string,
  ): Promise<OwnerOrRepresentativeDetails> {
    const rules = role === 'owner' ? [] : representativeFaults(input as RepresentativeDto, []);
    const days = futureDays(input, parisDay(this.clock.now()));
    const basis =
      role === 'owner' ? {} : basisOf(await asking('company', at.client.getCompany(at.companyId)));
    await this.check.check(at, [...rules, ...days], codesOf(input, basis), []);
    const sent: OwnerOrRepresentativeDetails = given(input);
    return { ...sent, reference };
  }

  /** Checks a person that is changed. `basis`: the company that a representative represents. */
  async changed(
    at: CompanyAtProvider,
    personId: string,
    input: OwnerOrRepresentativeInput,
    basis: CompanyBasis,
  ): Promise<OwnerOrRepresentativeDetails> {
    const key = keyOf(personId);
    this.refuseOther(input, key);
    const company = 'company' in input ? input.company : undefined;
    const number = registrationFault(company?.registrationNumber, company?.country, [
      'company',
      'registrationNumber',
    ]);
    const days = futureDays(input, parisDay(this.clock.now()));
    await this.check.check(at, [...number, ...days], codesOf(input, basis), []);
    const sent: RepresentativeDetails = given(input);
    return { ...sent, [key]: { ...sent[key], id: personId } };
  }

  private refuseOther(input: OwnerOrRepresentativeInput, key: 'person' | 'company'): void {
    if (Object.keys(given(input)).length === 0) throw nothingGiven('#');
    const other = key === 'person' ? 'company' : 'person';
    if ((input as Readonly<Record<string, unknown>>)[other] === undefined) return;
    const detail = `the id in the path belongs to a ${key}: send its fields under ${key}`;
    const errors = [{ detail, pointer: jsonPointer([other]) }];
    throw problem('validation_failed', { detail, errors });
  }
}

const PERSON_ID = /^(?:pers|comp)_[A-Za-z0-9]{24}$/;

/**
 * Checks an id in a path: an id of a form that the provider never issues is not sent to the
 * provider.
 */
export const personIdIn = (text: string): string => {
  if (PERSON_ID.test(text)) return text;
  throw new Rejection('person_not_found', 'no owner or representative of the merchant has this id');
};
