import type { EventOf, Sentences } from '../../../story/sentence';

const targetOf = (eventTypes: readonly string[], merchantId: string | null): string =>
  `${eventTypes.includes('*') ? 'all events' : eventTypes.join(', ')} of ` +
  `${merchantId === null ? 'all merchants' : `the merchant ${merchantId}`}`;

const DISABLED = {
  requested: 'the platform requested it',
  operator: 'an operator disabled it',
  failing: 'no delivery succeeded for three days',
  unsubscribed: 'the receiver responded that it no longer exists',
} as const;

/** The sentences of provider accounts and webhook endpoints. */
export const settingsSentences: Sentences<EventOf<'account' | 'webhook_endpoint'>> = {
  ProviderAccountRegistered: ({ merchantId, mode, ordersFrom }, { moment, by }) =>
    `Registered the ${mode} provider account of the merchant ${merchantId}${by}: ` +
    (ordersFrom === null
      ? 'an admin must request its use for new orders, and a second admin must approve it'
      : `new orders use it from ${moment(ordersFrom)}`),
  ProviderAccountApproved: ({ ordersFrom }, { moment, by }) =>
    `Approved the provider account for new orders from ${moment(ordersFrom)}${by}`,
  ProviderAccountDisabled: (_, { by }) => `Disabled the provider account for new orders${by}`,
  ProviderAccountKeyRotated: (_, { by }) =>
    `Replaced the API key by another key of the same provider account${by}`,
  WebhookEndpointCreated: ({ host, eventTypes, merchantId }, { by }) =>
    `Created the webhook endpoint at ${host} for ${targetOf(eventTypes, merchantId)}${by}`,
  WebhookEndpointChanged: ({ host, eventTypes, merchantId }, { by }) =>
    `Changed the webhook endpoint: ${host} receives ${targetOf(eventTypes, merchantId)}${by}`,
  WebhookSecretRotated: ({ formerUntil }, { moment, by }) =>
    `Rotated the secret${by}; messages are signed with the former secret, too, until ` +
    moment(formerUntil),
  WebhookEndpointTested: (_, { by }) => `Sent a test event to the webhook endpoint${by}`,
  WebhookEndpointDisabled: ({ reason }) => `Disabled the webhook endpoint: ${DISABLED[reason]}`,
  WebhookEndpointEnabled: (_, { by }) => `Enabled the webhook endpoint again${by}`,
  WebhookEndpointDeleted: (_, { by }) =>
    `Deleted the webhook endpoint with its URL and its secret${by}`,
};
