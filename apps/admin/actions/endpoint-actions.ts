import type { Pool } from 'pg';
import { assert, type Clock, Rejection } from '#kernel';
import type { StepOnceParts } from '#operations';
import { ApiKeyStore } from '#platform';
import { type EndpointCommand, endpointAggregate, mustHaveRoom } from '#webhook';
import type { Action, Target } from './action.js';
import { stepAction, type StepWork } from './step-action.js';

/**
 * Checks that a platform may get a webhook endpoint. The platform needs an API key to read the
 * secret. Throws `Rejection('platform_unknown' | 'too_many_webhook_endpoints')`.
 */
export const mustBeCreatable = async (pool: Pool, platformId: string): Promise<void> => {
  const keys = await new ApiKeyStore(pool).list(platformId);
  if (keys.length === 0) {
    throw new Rejection('platform_unknown', 'the platform has no API key: create one first');
  }
  await mustHaveRoom(pool, platformId);
};

const newEndpointOf = ({ platformId, endpoint }: Target) => {
  assert(
    platformId !== undefined && endpoint !== undefined,
    'a new webhook endpoint has a platform and terms',
  );
  return { platformId, ...endpoint };
};

/** An action on one endpoint. It moves no money. */
type EndpointWork = Omit<StepWork, 'subjectType' | 'correlationOf' | 'about'>;

const endpointAction = (log: StepOnceParts, parts: EndpointWork): Action =>
  stepAction(log, {
    ...parts,
    subjectType: 'webhook_endpoint',
    correlationOf: ({ target }) => Promise.resolve(target.subjectId),
    about: () => Promise.resolve(null),
  });

/** Creates an endpoint, to which the events of the platform are sent: a second admin approves it. */
const createEndpoint = (log: StepOnceParts, clock: Clock): Action =>
  endpointAction(log, {
    takesTwo: true,
    notes: ({ target }) => {
      const { platformId, host, eventTypes, merchantId } = newEndpointOf(target);
      const texts = { eventTypes: eventTypes.join(', '), merchantId: merchantId ?? '' };
      return Promise.resolve([{ code: 'endpoint_created', platformId, host, ...texts }]);
    },
    work: async (step, { target }) => {
      const endpoint = newEndpointOf(target);
      await mustBeCreatable(log.pool, endpoint.platformId);
      const create = { type: 'CreateEndpoint', ...endpoint, at: clock.now() } as const;
      await step.execute(endpointAggregate, target.subjectId, create);
    },
  });

/** Actions that create, stop and resume the webhooks to an endpoint of a platform. */
export const endpointActions = (log: StepOnceParts, clock: Clock) => {
  const change = (commandAt: () => EndpointCommand): Action =>
    endpointAction(log, {
      takesTwo: false,
      work: async (step, { target }) => {
        await step.execute(endpointAggregate, target.subjectId, commandAt());
      },
    });
  return {
    create_endpoint: createEndpoint(log, clock),
    disable_endpoint: change(() => ({
      type: 'DisableEndpoint',
      reason: 'operator',
      at: clock.now(),
    })),
    enable_endpoint: change(() => ({ type: 'EnableEndpoint', at: clock.now() })),
  };
};
