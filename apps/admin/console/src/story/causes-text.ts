import type { TimelineEntry } from '../entity/entity-types';
import type { Dictionary } from '../i18n/en';

/**
 * The number of provider requests and webhooks in one line, e.g. `3 requests to the provider, 1
 * webhook`.
 */
export const causesText = ({ story }: Dictionary, causes: readonly TimelineEntry[]): string => {
  const calls = causes.filter(({ kind }) => kind === 'call');
  const failed = calls.filter(({ data }) => typeof data['failure'] === 'string').length;
  const webhooks = causes.length - calls.length;
  return [
    calls.length > 0 && story.requests(calls.length),
    failed > 0 && story.failed(failed),
    webhooks > 0 && story.webhooks(webhooks),
  ]
    .filter((text) => text !== false)
    .join(', ');
};
