export { backoffMs } from './backoff.js';
export type { CallFamily, EndedCall, LoadedCall } from './call-family.js';
export {
  type CallJob,
  type CallOutcome,
  type CallTools,
  done,
  retryLater,
  stuck,
} from './call-job.js';
export { CallRunner } from './call-runner.js';
export { MAX_TRIES } from './call-schedule.js';
export { CLAIM_MS } from './claim-ms.js';
export type { WallTime } from './held-claims.js';
export { begunJob, ClaimLapsed, type Job, type JobEnd, type JobHold, type JobKind } from './job.js';
export { JobRunner } from './job-runner.js';
export { type ClaimRequest, JobTable } from './job-table.js';
export { Jobs } from './jobs.js';
export { LANES, type LaneName } from './lanes.js';
export { OVERDUE_JOBS } from './overdue-jobs.js';
export { failedRead, triesOf } from './tries.js';
export { WorkLoop } from './work-loop.js';
