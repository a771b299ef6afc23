import type { Clock } from '#kernel';
import type { StepOnceParts } from '#operations';
import { type EndpointCommand, endpointAggregate } from '#webhook';
import type { Action } from './action.js';
import { stepAction } from './step-action.js';

/**
 * Actions that stop and resume the webhooks to an endpoint of a platform, e.g. because the endpoint
 * is an attack, or after the platform has repaired it. They move no money.
 */
export const endpointActions = (log: StepOnceParts, clock: Clock) => {
  const change = (commandAt: () => EndpointCommand): Action =>
    stepAction(log, {
      takesTwo: false,
      subjectType: 'webhook_endpoint',
      correlationOf: ({ target }) => Promise.resolve(target.subjectId),
      about: () => Promise.resolve(null),
      work: async (step, { target }) => {
        await step.execute(endpointAggregate, target.subjectId, commandAt());
      },
    });
  return {
    disable_endpoint: change(() => ({
      type: 'DisableEndpoint',
      reason: 'operator',
      at: clock.now(),
    })),
    enable_endpoint: change(() => ({ type: 'EnableEndpoint', at: clock.now() })),
  };
};
