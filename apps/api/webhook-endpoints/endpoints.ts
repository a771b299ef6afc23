import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore, type StepBuilder } from '#log';
import { assert, type Clock, newId } from '#kernel';
import { CLOCK, firstRow } from '#platform';
import {
  type EndpointCommand,
  type EndpointDetails,
  type EndpointTerms,
  endpointAggregate,
  type KnownEndpoint,
  mustBeAllowed,
  mustHaveRoom,
  newSecret,
  StoredEndpointDetails,
  type WantedEndpoint,
  WEBHOOK_TARGETS,
  type WebhookTargets,
} from '#webhook';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, metadataOf, type Origin } from '../shared/change-request.js';
import { problem } from '../shared/error-codes.js';
import { Idempotency } from '../shared/idempotency.js';
import { noSuch, Tenancy } from '../shared/tenancy.js';
import {
  type EndpointAnswer,
  endpointAnswer,
  type EndpointSecretAnswer,
  type EndpointStateAnswer,
} from './endpoint-answer.js';

/**
 * The number of events from which on a platform cannot change an endpoint any more. Each change
 * decides on the whole history, and each platform may repeat its changes.
 */
const MAX_CHANGEABLE_EVENTS = 2_000;

/** The fields of a webhook endpoint to change; an undefined field keeps its value. */
type ChangedTerms = Partial<WantedEndpoint>;

/** The references of an endpoint's present details, and of those before the last rotation. */
interface StoredRefs {
  readonly detailsRef: string;
  readonly formerRef: string | null;
}

/** An endpoint command without `at`, which is set when the command is executed. */
type Wanted<Command = EndpointCommand> = Command extends EndpointCommand
  ? Omit<Command, 'at'>
  : never;

const READ = `
  SELECT e.id, e.host, e.event_types AS "eventTypes", e.merchant_id AS "merchantId", e.status,
         e.disabled_reason AS "disabledReason", e.failing_since AS "failingSince",
         (SELECT count(*)::int FROM webhook_deliveries d
           WHERE d.endpoint_id = e.id AND d.state = 'failed') AS "failedDeliveries",
         e.created_at AS "createdAt"
    FROM webhook_endpoints e
   WHERE e.platform_id = $1 AND e.status <> 'deleted' AND ($2::text IS NULL OR e.id = $2)
   ORDER BY e.created_at, e.id`;

const SECRET = `
  SELECT details_ref AS "detailsRef",
         CASE WHEN former_until > $3 THEN former_ref END AS "formerRef"
    FROM webhook_endpoints WHERE platform_id = $1 AND id = $2 AND status <> 'deleted'`;

/** The webhook endpoints of platforms. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    private readonly details: StoredEndpointDetails,
    @Inject(WEBHOOK_TARGETS) private readonly targets: WebhookTargets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws `Problem` 422 or `Rejection('too_many_webhook_endpoints')`. */
  create(request: ChangeRequest, wanted: WantedEndpoint): Promise<Answer<EndpointAnswer>> {
    const { platformId } = request.caller;
    mustBeAllowed(wanted.url, this.targets);
    return this.idempotency.withReplay(request, async () => {
      await mustHaveRoom(this.pool, platformId);
      const id = newId('whe');
      const terms = await this.details.keepNew(id, wanted);
      return this.idempotency.step(request, id, 201, (step) =>
        this.execute(step, id, { type: 'CreateEndpoint', platformId, ...terms }),
      );
    });
  }

  /**
   * Changes the given fields. Throws `Problem` 422 or `Rejection('webhook_endpoint_not_found')`.
   */
  change(origin: Origin, id: string, wanted: ChangedTerms): Promise<EndpointAnswer> {
    const { url, eventTypes, merchantId } = wanted;
    if (url !== undefined) mustBeAllowed(url, this.targets);
    return this.store.step(metadataOf(id, origin), async (step) => {
      const endpoint = await this.tenancy.liveEndpoint(origin.caller, id, step);
      const { terms } = endpoint;
      await this.mustBeChangeable(id);
      return this.execute(step, id, {
        type: 'ChangeEndpoint',
        host: url === undefined ? terms.host : new URL(url).host,
        eventTypes: eventTypes ?? terms.eventTypes,
        merchantId: merchantId === undefined ? terms.merchantId : merchantId,
        detailsRef: await this.withUrl(id, terms, url),
      });
    });
  }

  async delete(origin: Origin, id: string): Promise<{ readonly id: string }> {
    await this.tenancy.liveEndpoint(origin.caller, id);
    const at = this.clock.now();
    await this.store.step(metadataOf(id, origin), (step) =>
      step.execute(endpointAggregate, id, { type: 'DeleteEndpoint', at }),
    );
    return { id };
  }

  /** Disables, enables or tests an endpoint. */
  command(request: ChangeRequest, id: string, command: Wanted): Promise<Answer<EndpointAnswer>> {
    return this.idempotency.withReplay(request, async () => {
      await this.tenancy.liveEndpoint(request.caller, id);
      // The endpoint can still be disabled, so that nothing is sent to it.
      if (command.type !== 'DisableEndpoint') await this.mustBeChangeable(id);
      return this.idempotency.step(request, id, 200, (step) => this.execute(step, id, command));
    });
  }

  rotateSecret(
    request: ChangeRequest,
    id: string,
    revokesFormer: boolean,
  ): Promise<Answer<EndpointAnswer>> {
    return this.idempotency.withReplay(request, () =>
      this.idempotency.step(request, id, 200, async (step) => {
        const endpoint = await this.tenancy.liveEndpoint(request.caller, id, step);
        await this.mustBeChangeable(id);
        const { url } = await this.current(endpoint.terms);
        const detailsRef = await this.details.keep(id, { url, secret: newSecret() });
        return this.execute(step, id, { type: 'RotateSecret', detailsRef, revokesFormer });
      }),
    );
  }

  async list({ platformId }: Caller): Promise<readonly EndpointStateAnswer[]> {
    const { rows } = await this.pool.query<EndpointStateAnswer>(READ, [platformId, null]);
    return rows;
  }

  async read({ platformId }: Caller, id: string): Promise<EndpointStateAnswer> {
    const row = await firstRow<EndpointStateAnswer>(this.pool, READ, [platformId, id]);
    if (row === undefined) throw noSuch('webhook_endpoint');
    return row;
  }

  async secret({ platformId }: Caller, id: string): Promise<EndpointSecretAnswer> {
    const values = [platformId, id, this.clock.now()];
    const row = await firstRow<StoredRefs>(this.pool, SECRET, values);
    if (row === undefined) throw noSuch('webhook_endpoint');
    const former = row.formerRef === null ? null : await this.details.read(row.formerRef);
    return { ...(await this.current(row)), formerSecret: former?.secret ?? null };
  }

  /** Throws `Problem` 409 `too_many_changes` if the endpoint has too many events. */
  private async mustBeChangeable(id: string): Promise<void> {
    const { version } = await this.store.loadRecent(endpointAggregate, id);
    if (version >= MAX_CHANGEABLE_EVENTS) throw problem('too_many_changes');
  }

  /** The reference of the endpoint's details with this URL; undefined: with the present URL. */
  private async withUrl(
    id: string,
    terms: EndpointTerms,
    url: string | undefined,
  ): Promise<string> {
    if (url === undefined) return terms.detailsRef;
    const { url: present, secret } = await this.current(terms);
    return url === present ? terms.detailsRef : this.details.keep(id, { url, secret });
  }

  /**
   * Reads the endpoint's URL and secret. Throws `Problem` 503 if a concurrent change has replaced
   * them; a repeated request then reads the new ones.
   */
  private async current({
    detailsRef,
  }: Pick<EndpointTerms, 'detailsRef'>): Promise<EndpointDetails> {
    const details = await this.details.read(detailsRef);
    if (details === null) throw problem('busy', { headers: { 'retry-after': '1' } });
    return details;
  }

  private async execute(step: StepBuilder, id: string, wanted: Wanted): Promise<EndpointAnswer> {
    const command: EndpointCommand = { ...wanted, at: this.clock.now() };
    const state = await step.execute(endpointAggregate, id, command);
    assert(isKnown(state), 'an endpoint exists after every command except its deletion');
    return endpointAnswer(id, state);
  }
}

const isKnown = (state: { readonly status: string }): state is KnownEndpoint =>
  state.status === 'enabled' || state.status === 'disabled';
