import type { Job } from './job.js';

/**
 * How often the job was rescheduled without a change of its aggregate; stored in the job's
 * progress.
 */
export const triesOf = ({ progress }: Pick<Job, 'progress'>): number =>
  typeof progress['tries'] === 'number' ? progress['tries'] : 0;
