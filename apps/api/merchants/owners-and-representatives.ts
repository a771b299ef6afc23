import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type EventMetadata,
  EventStore,
  ReservationTaken,
  type StepBuilder,
  StepConflict,
} from '#log';
import { assert, type Clock, drawWithoutCardNumber } from '#kernel';
import { merchantAggregate, type MerchantRead } from '#onboarding';
import { CLOCK, type Problem } from '#platform';
import { type CompanyFacts, type PersonFacts, type PersonRole, isProviderError } from '#psp';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, metadataOf, type Origin } from '../shared/change-request.js';
import { problem } from '../shared/error-codes.js';
import { Idempotency } from '../shared/idempotency.js';
import { Tenancy } from '../shared/tenancy.js';
import type { PersonReference } from './person-reference.js';
import {
  basisOf,
  PersonChecks,
  type OwnerOrRepresentativeDetails,
  personIdIn,
  type OwnerOrRepresentativeInput,
} from './person-checks.js';
import { asking, type CompanyAtProvider, Partners } from './partners.js';
import { placeOf } from './person-place.js';
import { isNotFound } from './provider-refusals.js';

/** The merchant, and the role of the person that is changed. */
interface Change {
  readonly merchantId: string;
  readonly role: PersonRole;
}

/** JSON pointers begin at the top level, because the body's fields are the person's fields. */
const ROOT: readonly string[] = [];

const FIELDS = { owner: 'owners', representative: 'representatives' } as const;

const personsOf = (company: CompanyFacts, role: PersonRole): readonly PersonFacts[] =>
  company[FIELDS[role]];

const digestOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(texts.join(' ')).digest('hex').slice(0, 24);

/**
 * The reference of an added person if the platform gave none. The reference is derived from the
 * request, so that after an unknown result the provider's list shows whether the person was added.
 * About one digest of 1,600 looks like a card number, which the provider rejects; it is followed by
 * the digest of the same text with a further space.
 */
const referenceFor = ({ caller, key }: ChangeRequest): string => {
  let text = `${caller.platformId} ${key}`;
  return drawWithoutCardNumber(() => {
    const reference = `added-${digestOf(text)}`;
    text += ' ';
    return reference;
  });
};

/**
 * Reserved before a person is added with a reference of the platform. After an unknown result, the
 * reference alone does not show whether this request or another one has added the person.
 */
interface Addition {
  /** The reservation of the first request that has begun to add a person with this reference. */
  readonly key: string;
  /** The reservation of the first further request. */
  readonly furtherKey: string;
  /** Identifies the request. */
  readonly holder: string;
}

const ADDITIONS = 'merchant.person_addition';

const additionBy = (
  { caller, key, fingerprint }: ChangeRequest,
  { merchantId, role }: Change,
  reference: string,
): Addition => {
  const person = digestOf(merchantId, role, reference);
  const holder = digestOf(caller.platformId, key, fingerprint);
  return { key: person, furtherKey: `${person} further`, holder };
};

/** The requests that have begun to add a person with the same reference, by their reservations. */
type Begun = ReadonlyMap<string, string>;

const NONE_BEGUN: Begun = new Map();

/** Whether this request, and no other one, has begun to add a person with the reference. */
const isOnlyAddition = ({ key, furtherKey, holder }: Addition, begun: Begun): boolean =>
  begun.get(key) === holder && !begun.has(furtherKey);

const referenceTaken = ({ id }: PersonReference, role: PersonRole): Problem =>
  problem('person_exists', {
    detail: `the ${role} ${id} has this reference already: use another reference`,
  });

/** Changes the owners and representatives of a registered company, whom the provider stores. */
@Injectable()
export class OwnersAndRepresentatives {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly partners: Partners,
    private readonly checks: PersonChecks,
    private readonly idempotency: Idempotency,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Adds a person. Each call adds a person at the provider, so a second attempt first searches for
   * a person with this reference. A reference given by the platform is unique among the owners, and
   * among the representatives; a person who has it is the result of a request only if no other
   * request has begun to add one.
   */
  add(
    request: ChangeRequest,
    change: Change,
    input: OwnerOrRepresentativeInput,
  ): Promise<Answer<PersonReference>> {
    const { merchantId, role } = change;
    return this.idempotency.withLock(request, async (assertHeld) => {
      const at = await this.partners.company(request.caller, merchantId);
      const reference = input.reference ?? referenceFor(request);
      const find = async (): Promise<PersonReference | null> =>
        this.find(await asking('company', at.client.getCompany(at.companyId)), role, reference);
      const known = await find();
      const addition = input.reference ? additionBy(request, change, reference) : null;
      const begun = addition === null ? NONE_BEGUN : await this.begunFor(addition);
      const isOurs = addition === null || isOnlyAddition(addition, begun);
      if (known !== null && !isOurs) throw referenceTaken(known, role);
      const body = await this.checks.added(at, role, input, reference);
      if (addition !== null) await this.begin(metadataOf(merchantId, request), addition, begun);
      await assertHeld();
      const added = known ?? (await this.addAtProvider(at, role, body, reference, find));
      return this.idempotency.step(request, merchantId, 201, async (step) => {
        await this.revise(step, request, change);
        return added;
      });
    });
  }

  /**
   * Changes a person in a role that the person has: also a representative of a legal person that
   * represents the company. Safe to repeat.
   */
  async change(
    origin: Origin,
    change: Change,
    personId: string,
    input: OwnerOrRepresentativeInput,
  ): Promise<PersonReference> {
    const { merchantId, role } = change;
    const id = personIdIn(personId);
    const at = await this.partners.company(origin.caller, merchantId);
    const known = await asking('company', at.client.getCompany(at.companyId));
    const { within } = placeOf(known, role, id);
    // For a legal person's representatives, only the provider checks the position.
    const basis = within.length === 0 ? basisOf(known) : {};
    const body = await this.checks.changed(at, id, input, basis);
    const company = await this.put(at, role, body, within);
    await this.record(origin, change);
    return { id, reference: placeOf(company, role, id).reference };
  }

  /**
   * Removes a person from a role. An owner who is also a representative stays a representative. For
   * a person who was already removed, the response is a 404, and the missing items are read again,
   * because the response to the removal may have been lost before it was recorded.
   */
  async remove(origin: Origin, change: Change, personId: string): Promise<void> {
    const { merchantId, role } = change;
    const { client, companyId } = await this.partners.company(origin.caller, merchantId);
    const id = personIdIn(personId);
    try {
      await asking('person', client.removePerson(companyId, id, role), ROOT);
    } catch (error) {
      if (isNotFound(error, 'person')) await this.readRequirements(origin, merchantId);
      throw error;
    }
    await this.record(origin, change);
  }

  private readRequirements(origin: Origin, merchantId: string): Promise<void> {
    const kind: MerchantRead = 'merchant.requirements';
    return this.store.step(metadataOf(merchantId, origin), (step) =>
      step.setDeadline({ kind, key: merchantId, dueAt: this.clock.now() }),
    );
  }

  private begunFor({ key, furtherKey }: Addition): Promise<Begun> {
    return this.store.holdersOf(ADDITIONS, [key, furtherKey]);
  }

  private async begin(
    metadata: EventMetadata,
    { key, furtherKey, holder }: Addition,
    begun: Begun,
  ): Promise<void> {
    const isFirst = (begun.get(key) ?? holder) === holder;
    const due = isFirst ? key : furtherKey;
    if (begun.has(due)) return;
    try {
      await this.store.step(metadata, (step) =>
        step.reserve({ scope: ADDITIONS, key: due, holder }),
      );
    } catch (error) {
      if (!(error instanceof ReservationTaken)) throw error;
      throw new StepConflict('another request adds a person with this reference');
    }
  }

  private put(
    { client, companyId }: CompanyAtProvider,
    role: PersonRole,
    details: OwnerOrRepresentativeDetails,
    within: readonly string[] = [],
  ): Promise<CompanyFacts> {
    return asking('person', client.putPerson(companyId, role, details, within), ROOT);
  }

  private async addAtProvider(
    at: CompanyAtProvider,
    role: PersonRole,
    details: OwnerOrRepresentativeDetails,
    reference: string,
    find: () => Promise<PersonReference | null>,
  ): Promise<PersonReference> {
    try {
      const added = this.find(await this.put(at, role, details), role, reference);
      assert(added !== null, 'the response of the provider contains the added person');
      return added;
    } catch (error) {
      if (!isProviderError(error) || error.kind !== 'unknown_outcome') throw error;
      const added = await find();
      if (added === null) throw error;
      return added;
    }
  }

  private find(company: CompanyFacts, role: PersonRole, reference: string): PersonReference | null {
    const found = personsOf(company, role).find((one) => one.reference === reference);
    return found === undefined ? null : { id: found.id, reference: found.reference };
  }

  private async record(origin: Origin, change: Change): Promise<void> {
    await this.store.step(metadataOf(change.merchantId, origin), (step) =>
      this.revise(step, origin, change),
    );
  }

  private async revise(
    step: StepBuilder,
    { caller }: Origin,
    { merchantId, role }: Change,
  ): Promise<void> {
    const { detailsRef } = await this.tenancy.merchant(caller, merchantId, step);
    const fields = [FIELDS[role]];
    const command = { type: 'ReviseDetails', detailsRef, fields, at: this.clock.now() } as const;
    await step.execute(merchantAggregate, merchantId, command);
  }
}
