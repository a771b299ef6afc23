import type { Instant } from '#kernel';
import type { Job, JobEnd } from './job.js';

/**
 * How often the job was rescheduled without a change of its aggregate; stored in the job's
 * progress.
 */
export const triesOf = ({ progress }: Pick<Job, 'progress'>): number =>
  typeof progress['tries'] === 'number' ? progress['tries'] : 0;

/**
 * Ends the run of a scheduled read that has failed. Until a run succeeds, the progress contains the
 * time at which the read was first due, since which the read is overdue.
 */
export const failedRead = (
  { dueAt: due, progress }: Pick<Job, 'dueAt' | 'progress'>,
  dueAt: Instant,
  tries: number,
): JobEnd => ({ next: 'again', dueAt, progress: { dueSince: due, ...progress, tries } });
