import type { TimelineEntry } from '../entity/entity-types';

/**
 * Whether the response refuses the request. A 404 is not a refusal, because the object may not
 * exist yet.
 */
const isRefusal = (status: number): boolean => status >= 400 && status !== 404;

/** Whether the entry is a failure, such as a refused request or a lost connection. */
export const isTrouble = ({ kind, name, data }: TimelineEntry): boolean =>
  (kind === 'job' && data['state'] === 'stuck') ||
  (kind === 'saga' && data['waiting'] !== undefined) ||
  (kind === 'event' && /(Mismatch|Failed|Refused|Rejected|Disputed|Returned)/.test(name)) ||
  (kind === 'call' &&
    (typeof data['failure'] === 'string' || isRefusal(Number(data['status'] ?? 0))));
