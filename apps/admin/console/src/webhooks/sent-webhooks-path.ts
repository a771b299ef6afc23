/**
 * The path of the list of webhooks that were sent to an endpoint and are in one of these states.
 */
export const sentWebhooksPath = (endpointId: string, ...states: readonly string[]): string => {
  const state = states.length === 0 ? '' : `&state=${states.join(',')}`;
  return `/webhooks?view=sent&endpointId=${endpointId}${state}`;
};
