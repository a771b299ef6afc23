import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { EventStore, type StepBuilder } from '#log';
import { assert, type Clock } from '#kernel';
import { merchantAggregate } from '#onboarding';
import { CLOCK, Problem } from '#platform';
import { type CompanyFacts, type HeadFacts, type HeadRole, isProviderError } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { Tenancy } from '../shared/tenancy.js';
import type { HeadAnswer } from './head-answer.js';
import { HeadChecks, type HeadDetails, headIdIn, type HeadInput } from './head-checks.js';
import { asking, type CompanyAtProvider, Partners } from './partners.js';

/** Whose heads are changed, on whose request. */
interface Change {
  readonly caller: Caller;
  readonly merchantId: string;
  readonly role: HeadRole;
  readonly origin: Origin;
}

/** The body's fields are those of the head itself. */
const ROOT: readonly string[] = [];

const FIELDS = { owner: 'owners', representative: 'representatives' } as const;

const headsOf = (company: CompanyFacts, role: HeadRole): readonly HeadFacts[] =>
  company[FIELDS[role]];

/**
 * Says of a head that was added which request added it, where the platform gave no reference of
 * its own: after an unknown outcome the provider's list then shows whether it was done.
 */
const referenceFor = ({ platformId, key }: IdempotentRequest): string =>
  `added-${createHash('sha256').update(`${platformId} ${key}`).digest('hex').slice(0, 24)}`;

const referenceTaken = ({ id }: HeadAnswer, role: HeadRole): Problem =>
  new Problem(409, 'head_exists', `the ${role} ${id} has this reference already`, {
    errors: [{ detail: 'is taken', pointer: '#/reference' }],
  });

/** The owners and representatives of a registered company, which the provider has. */
@Injectable()
export class Heads {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly partners: Partners,
    private readonly checks: HeadChecks,
    private readonly idempotency: Idempotency,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The provider adds each time it is asked: a head with this request's label has been added, and
   * is looked for before another try. A label that the platform gives names one head of its role.
   */
  add(change: Change, head: HeadInput, request: IdempotentRequest): Promise<Answer<HeadAnswer>> {
    const { caller, merchantId, role } = change;
    return this.idempotency.onceBeforeActing(request, async (assertHeld) => {
      const at = await this.partners.company(caller, merchantId);
      const reference = head.reference ?? referenceFor(request);
      const find = async (): Promise<HeadAnswer | null> =>
        this.find(await asking('company', at.client.getCompany(at.companyId)), role, reference);
      const known = await find();
      if (known !== null && head.reference) throw referenceTaken(known, role);
      const body = await this.checks.newHead(at, role, head, reference);
      await assertHeld();
      const added = known ?? (await this.addAtProvider(at, role, body, reference, find));
      return this.revise(change, (step) => {
        const answer = { status: 201, body: added };
        step.answered({ ...request, ...answer });
        return answer;
      });
    });
  }

  /** May be repeated. */
  async change(change: Change, headId: string, head: HeadInput): Promise<HeadAnswer> {
    const { caller, merchantId, role } = change;
    const at = await this.partners.company(caller, merchantId);
    const body = await this.checks.changedHead(at, role, headIdIn(headId), head);
    const company = await this.put(at, role, body);
    const found = headsOf(company, role).find(({ id }) => id === headId);
    return this.revise(change, () => ({ id: headId, reference: found?.reference ?? null }));
  }

  /** Who goes as an owner stays as a representative. One that is gone is a 404. */
  async remove(change: Change, headId: string): Promise<void> {
    const { caller, merchantId, role } = change;
    const { client, companyId } = await this.partners.company(caller, merchantId);
    await asking('head', client.removeHead(companyId, headIdIn(headId), role), ROOT);
    await this.revise(change, () => undefined);
  }

  private put(
    { client, companyId }: CompanyAtProvider,
    role: HeadRole,
    head: HeadDetails,
  ): Promise<CompanyFacts> {
    return asking('head', client.putHead(companyId, role, head), ROOT);
  }

  private async addAtProvider(
    at: CompanyAtProvider,
    role: HeadRole,
    head: HeadDetails,
    reference: string,
    find: () => Promise<HeadAnswer | null>,
  ): Promise<HeadAnswer> {
    try {
      const added = this.find(await this.put(at, role, head), role, reference);
      assert(added !== null, 'the provider shows what it has added');
      return added;
    } catch (error) {
      if (!isProviderError(error) || error.kind !== 'unknown_outcome') throw error;
      const added = await find();
      if (added === null) throw error;
      return added;
    }
  }

  private find(company: CompanyFacts, role: HeadRole, reference: string): HeadAnswer | null {
    const found = headsOf(company, role).find((one) => one.reference === reference);
    return found === undefined ? null : { id: found.id, reference: found.reference };
  }

  private revise<T>(
    { caller, merchantId, role, origin }: Change,
    end: (step: StepBuilder) => T,
  ): Promise<T> {
    return this.store.step(metadataOf(merchantId, caller, origin), async (step) => {
      const { detailsRef } = await this.tenancy.merchant(caller, merchantId, step);
      await step.execute(merchantAggregate, merchantId, {
        type: 'ReviseDetails',
        detailsRef,
        fields: [FIELDS[role]],
        at: this.clock.now(),
      });
      return end(step);
    });
  }
}
