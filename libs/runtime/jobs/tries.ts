import type { Job } from './job.js';

/** The stored number of times that a job was rescheduled without a change. */
export const triesOf = ({ progress }: Pick<Job, 'progress'>): number =>
  typeof progress['tries'] === 'number' ? progress['tries'] : 0;
