import type { Decider } from '#kernel';
import { assert, HOUR_MS, plusMs, Rejection } from '#kernel';
import type { EndpointCommand } from './endpoint-command.js';
import type { DisabledReason, EndpointEvent, EndpointTerms } from './endpoint-event.js';
import type { Endpoint, KnownEndpoint } from './endpoint.js';

/** How long messages are signed with the former secret, too, after a rotation. */
export const FORMER_SECRET_MS = 24 * HOUR_MS;

const mustExist = (endpoint: Endpoint): KnownEndpoint => {
  if (endpoint.status === 'enabled' || endpoint.status === 'disabled') return endpoint;
  throw new Rejection('webhook_endpoint_not_found', 'the webhook endpoint does not exist');
};

const mustBeEnabled = (endpoint: Endpoint): void => {
  if (mustExist(endpoint).status === 'enabled') return;
  throw new Rejection(
    'webhook_endpoint_disabled',
    'the webhook endpoint is disabled: enable it before this request',
  );
};

const termsIn = ({ host, eventTypes, merchantId, detailsRef }: EndpointTerms): EndpointTerms => ({
  host,
  eventTypes,
  merchantId,
  detailsRef,
});

const isEqual = (one: EndpointTerms, other: EndpointTerms): boolean =>
  one.host === other.host &&
  one.merchantId === other.merchantId &&
  one.detailsRef === other.detailsRef &&
  one.eventTypes.join() === other.eventTypes.join();

const BY_SERVICE: readonly DisabledReason[] = ['failing', 'unsubscribed'];

/**
 * Whether the command would change nothing. An operator may also disable an endpoint that the
 * service has already disabled, which closes the console's case about the endpoint.
 */
const isDisabled = (endpoint: KnownEndpoint, reason: DisabledReason): boolean =>
  endpoint.status === 'disabled' &&
  !(reason === 'operator' && BY_SERVICE.includes(endpoint.reason));

const decide = (endpoint: Endpoint, command: EndpointCommand): readonly EndpointEvent[] => {
  const { at } = command;
  switch (command.type) {
    case 'CreateEndpoint': {
      if (endpoint.status !== 'none') return [];
      const { platformId } = command;
      return [{ type: 'WebhookEndpointCreated', platformId, ...termsIn(command), at }];
    }
    case 'ChangeEndpoint':
      if (isEqual(mustExist(endpoint).terms, command)) return [];
      return [{ type: 'WebhookEndpointChanged', ...termsIn(command), at }];
    case 'RotateSecret': {
      const { revokesFormer } = command;
      const { formerUntil: before } = mustExist(endpoint);
      // A second rotation would invalidate the former secret, which may be the only secret that the
      // receiver has.
      if (!revokesFormer && before !== null && at < before) {
        throw new Rejection(
          'webhook_secret_rotating',
          `messages are signed with the former secret until ${before}: wait, or send revokeFormer: ` +
            'true if no receiver needs it',
        );
      }
      const formerUntil = revokesFormer ? at : plusMs(at, FORMER_SECRET_MS);
      return [{ type: 'WebhookSecretRotated', detailsRef: command.detailsRef, formerUntil, at }];
    }
    case 'TestEndpoint':
      mustBeEnabled(endpoint);
      return [{ type: 'WebhookEndpointTested', at }];
    case 'DisableEndpoint':
      if (isDisabled(mustExist(endpoint), command.reason)) return [];
      return [{ type: 'WebhookEndpointDisabled', reason: command.reason, at }];
    case 'EnableEndpoint':
      if (mustExist(endpoint).status === 'enabled') return [];
      return [{ type: 'WebhookEndpointEnabled', at }];
    case 'DeleteEndpoint':
      mustExist(endpoint);
      return [{ type: 'WebhookEndpointDeleted', at }];
  }
};

const evolve = (endpoint: Endpoint, event: EndpointEvent): Endpoint => {
  if (event.type === 'WebhookEndpointCreated') {
    return {
      status: 'enabled',
      platformId: event.platformId,
      terms: termsIn(event),
      formerUntil: null,
    };
  }
  assert(endpoint.status !== 'none', 'an endpoint is created before any other event');
  assert(endpoint.status !== 'deleted', 'no event follows the deletion of an endpoint');
  const { platformId, terms, formerUntil } = endpoint;
  switch (event.type) {
    case 'WebhookEndpointChanged':
      return { ...endpoint, terms: termsIn(event) };
    case 'WebhookSecretRotated':
      return {
        ...endpoint,
        terms: { ...terms, detailsRef: event.detailsRef },
        formerUntil: event.formerUntil,
      };
    case 'WebhookEndpointTested':
      return endpoint;
    case 'WebhookEndpointDisabled':
      return { status: 'disabled', reason: event.reason, platformId, terms, formerUntil };
    case 'WebhookEndpointEnabled':
      return { status: 'enabled', platformId, terms, formerUntil };
    case 'WebhookEndpointDeleted':
      return { status: 'deleted', platformId };
  }
};

export const endpointDecider: Decider<Endpoint, EndpointCommand, EndpointEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};
