import type { Job } from './job.js';

/** How often the job was rescheduled without a change; stored in its progress. */
export const triesOf = ({ progress }: Pick<Job, 'progress'>): number =>
  typeof progress['tries'] === 'number' ? progress['tries'] : 0;
