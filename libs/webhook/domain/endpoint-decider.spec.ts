import { HOUR_MS, parseInstant, plusMs } from '#kernel';
import { examplesOf, type LaterCommands, scenario } from '#testing';
import type { EndpointCommand } from './endpoint-command.js';
import { endpointDecider } from './endpoint-decider.js';
import type { EndpointEvent } from './endpoint-event.js';

const given = scenario(endpointDecider);
const at = parseInstant('2026-03-02T06:00:00Z');
const terms = {
  host: 'hooks.example',
  eventTypes: ['*'],
  merchantId: null,
  detailsRef: 'whd_1',
} as const;
const changed = { ...terms, eventTypes: ['Order*'], detailsRef: 'whd_2' } as const;

const created: EndpointEvent = { type: 'WebhookEndpointCreated', platformId: 'shop', ...terms, at };
const disabled: EndpointEvent = { type: 'WebhookEndpointDisabled', reason: 'failing', at };
const enabled: EndpointEvent = { type: 'WebhookEndpointEnabled', at };
const deleted: EndpointEvent = { type: 'WebhookEndpointDeleted', at };

const LATER: LaterCommands<EndpointCommand, 'CreateEndpoint'> = {
  ChangeEndpoint: [{ type: 'ChangeEndpoint', ...changed, at }],
  RotateSecret: [{ type: 'RotateSecret', detailsRef: 'whd_3', revokesFormer: false, at }],
  TestEndpoint: [{ type: 'TestEndpoint', at }],
  DisableEndpoint: [{ type: 'DisableEndpoint', reason: 'requested', at }],
  EnableEndpoint: [{ type: 'EnableEndpoint', at }],
  DeleteEndpoint: [{ type: 'DeleteEndpoint', at }],
};

describe.each(examplesOf<EndpointCommand>(LATER))('the command $type', (command) => {
  test('is rejected for an endpoint that was never created', () =>
    given().when(command).thenRejected('webhook_endpoint_not_found'));

  test('is rejected for a deleted endpoint', () =>
    given(created, deleted).when(command).thenRejected('webhook_endpoint_not_found'));
});

describe('a webhook endpoint', () => {
  test('is created once', () => {
    const creates = { type: 'CreateEndpoint', platformId: 'shop', ...terms, at } as const;
    given().when(creates).then(created);
    given(created).when(creates).thenNothing();
  });

  test('is changed, also while it is disabled', () => {
    const change = { type: 'ChangeEndpoint', ...changed, at } as const;
    given(created)
      .when(change)
      .then({ type: 'WebhookEndpointChanged', ...changed, at });
    given(created, disabled)
      .when(change)
      .then({ type: 'WebhookEndpointChanged', ...changed, at });
  });

  test('is not changed by its present values', () => {
    given(created)
      .when({ type: 'ChangeEndpoint', ...terms, at })
      .thenNothing();
    given(created, { type: 'WebhookEndpointChanged', ...changed, at })
      .when({ type: 'ChangeEndpoint', ...changed, eventTypes: [...changed.eventTypes], at })
      .thenNothing();
  });

  test('keeps its former secret for 24 hours after a rotation', () =>
    given(created)
      .when({ type: 'RotateSecret', detailsRef: 'whd_3', revokesFormer: false, at })
      .then({
        type: 'WebhookSecretRotated',
        detailsRef: 'whd_3',
        formerUntil: plusMs(at, 24 * HOUR_MS),
        at,
      }));

  test('is rotated again only after the former secret has expired', () => {
    const rotated: EndpointEvent = {
      type: 'WebhookSecretRotated',
      detailsRef: 'whd_3',
      formerUntil: plusMs(at, 24 * HOUR_MS),
      at,
    };
    const rotate = { type: 'RotateSecret', detailsRef: 'whd_4', revokesFormer: false } as const;
    const next = plusMs(at, 24 * HOUR_MS);
    given(created, rotated)
      .when({ ...rotate, at: plusMs(next, -1) })
      .thenRejected('webhook_secret_rotating');
    given(created, rotated)
      .when({ ...rotate, at: next })
      .then({ ...rotated, detailsRef: 'whd_4', formerUntil: plusMs(next, 24 * HOUR_MS), at: next });
  });

  test('loses its former secrets at once if the rotation revokes them', () => {
    const rotate = { type: 'RotateSecret', detailsRef: 'whd_3', revokesFormer: false, at } as const;
    const revoke = { ...rotate, detailsRef: 'whd_4', revokesFormer: true } as const;
    const revoked = {
      type: 'WebhookSecretRotated',
      detailsRef: 'whd_4',
      formerUntil: at,
      at,
    } as const;
    given(created).when(revoke).then(revoked);
    const [rotated] = endpointDecider.decide(
      endpointDecider.evolve({ status: 'none' }, created),
      rotate,
    );
    if (rotated === undefined) throw new Error('the secret is rotated');
    given(created, rotated).when(revoke).then(revoked);
  });

  test('is disabled and enabled, and a repetition changes nothing', () => {
    const disable = { type: 'DisableEndpoint', reason: 'failing', at } as const;
    given(created).when(disable).then(disabled);
    given(created, disabled).when(disable).thenNothing();
    given(created, disabled).when({ type: 'EnableEndpoint', at }).then(enabled);
    given(created).when({ type: 'EnableEndpoint', at }).thenNothing();
  });

  test('that was disabled because it failed can also be disabled by an operator, which ends its case; a disablement for any other reason is not replaced', () => {
    const byOperator = { ...disabled, reason: 'operator' } as const;
    const disable = { type: 'DisableEndpoint', reason: 'operator', at } as const;
    given(created, disabled).when(disable).then(byOperator);
    given(created, disabled, byOperator).when(disable).thenNothing();
    given(created, byOperator)
      .when({ ...disable, reason: 'failing' })
      .thenNothing();
    given(created, { ...disabled, reason: 'requested' })
      .when(disable)
      .thenNothing();
  });

  test('is tested only while it is enabled', () => {
    const tests = { type: 'TestEndpoint', at } as const;
    given(created).when(tests).then({ type: 'WebhookEndpointTested', at });
    given(created, disabled).when(tests).thenRejected('webhook_endpoint_disabled');
    given(created, disabled, enabled).when(tests).then({ type: 'WebhookEndpointTested', at });
  });
});
