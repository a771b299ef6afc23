import type { TimelineEntry } from '../entity/entity-types';

const isFailed = ({ kind, data }: TimelineEntry): boolean =>
  kind === 'job' && data['state'] === 'stuck';

const eventOf = (entries: readonly TimelineEntry[], job: TimelineEntry) =>
  entries.find(({ kind, id }) => kind === 'event' && id === job.causationId);

/**
 * Finds the failed provider request of a capture or refund. `field` is the field that contains the
 * id of the capture or refund, in the event that requested it.
 */
export const failedRequestOf = (
  entries: readonly TimelineEntry[],
  field: 'captureId' | 'requestId',
  id: string | null,
): TimelineEntry | null =>
  entries.find(
    (job) => isFailed(job) && id !== null && eventOf(entries, job)?.data[field] === id,
  ) ?? null;

/** The capture or refund that the request is for; null for any other request. */
export const objectOf = (entries: readonly TimelineEntry[], job: TimelineEntry): string | null => {
  const { captureId, requestId } = eventOf(entries, job)?.data ?? {};
  const id = captureId ?? requestId;
  return typeof id === 'string' ? id : null;
};
