import type { Job } from './job.js';

/** How often a job has been set again without news, as it was kept with it. */
export const triesOf = ({ progress }: Pick<Job, 'progress'>): number =>
  typeof progress['tries'] === 'number' ? progress['tries'] : 0;
