import { CLAIM_MS, ClaimLapsed, type ClaimRequest, type Job, type JobTable } from '#jobs';
import type { Instant } from '#kernel';
import { jobName, type JobRow, type SimulatedDatabase } from './database.js';
import type { Exchange } from './exchange.js';

const isFirst = (database: SimulatedDatabase, job: JobRow): boolean =>
  job.subjectId === null ||
  ![...database.jobs.values()].some(
    (other) =>
      other.subjectId === job.subjectId && other.ordinal < job.ordinal && other.state !== 'done',
  );

/** Whether a waiting job is due, by business time or by the wall time of its backoff. */
const isDue = ({ dueAt, heldUntilMs }: JobRow, now: Instant | null, nowMs: number): boolean =>
  heldUntilMs === null ? now !== null && dueAt <= now : heldUntilMs < nowMs;

const mayBegin = (job: JobRow, now: Instant | null, nowMs: number): boolean => {
  switch (job.state) {
    case 'ready':
      return true;
    case 'waiting':
      return isDue(job, now, nowMs);
    case 'running':
      return job.heldUntilMs !== null && job.heldUntilMs < nowMs;
    case 'stuck':
    case 'done':
      return false;
  }
};

/**
 * The jobs of these kinds that a worker may start now, sorted by the time at which they became due.
 * `now` is null if the worker must not do timed work.
 */
export const claimableJobs = (
  database: SimulatedDatabase,
  now: Instant | null,
  nowMs: number,
  kinds: readonly string[],
): readonly JobRow[] =>
  [...database.jobs.values()]
    .filter(
      (job) => kinds.includes(job.kind) && mayBegin(job, now, nowMs) && isFirst(database, job),
    )
    .sort((a, b) => a.dueAt.localeCompare(b.dueAt) || a.ordinal - b.ordinal);

/**
 * Marks all due jobs as ready, even if the worker has no free slot for them. A ready job may then
 * be claimed even by a process whose clock is behind.
 */
const makeReady = (
  database: SimulatedDatabase,
  now: Instant | null,
  nowMs: number,
  kinds: readonly string[],
): void => {
  for (const job of database.jobs.values()) {
    const isOfKind = job.heldUntilMs !== null || kinds.includes(job.kind);
    if (job.state === 'waiting' && isOfKind && isDue(job, now, nowMs)) {
      Object.assign(job, { state: 'ready', heldUntilMs: null });
    }
  }
};

/** The table `jobs` that all workers share. */
export const simulatedJobs = (
  database: SimulatedDatabase,
  exchange: Exchange,
  nowMs: () => number,
): Pick<JobTable, 'claim' | 'extend' | 'end' | 'failed' | 'giveBack' | 'save'> => {
  const mine = (job: Pick<Job, 'kind' | 'key' | 'claim'>): JobRow | undefined =>
    database.isHeld(job) ? database.jobs.get(jobName(job)) : undefined;
  const claimOne = (row: JobRow): Job => {
    const found = row.state === 'running' ? 'running' : row.claim === null ? 'ready' : 'waiting';
    database.claims += 1;
    const claim = `claim ${database.claims}`;
    const attempts = row.attempts + 1;
    if (found === 'running') row.hasLapsed = true;
    const heldUntilMs = nowMs() + CLAIM_MS;
    Object.assign(row, { state: 'running', claim, attempts, heldUntilMs, again: false });
    const { kind, key, accountId, subjectId, dueAt, progress } = row;
    const subjectVersion = database.events.filter(({ stream_id: id }) => id === subjectId).length;
    return {
      kind,
      key,
      accountId,
      subjectId,
      subjectVersion,
      dueAt,
      attempts,
      found,
      isBegun: false,
      progress,
      claim,
      askedBy: kind === 'intent.read' ? database.openWebhooks(String(progress['intentId'])) : [],
    };
  };
  const claim = ({ now, kinds, rooms }: ClaimRequest): readonly Job[] => {
    const left = new Map(rooms.map(({ lane, room }) => [lane, room]));
    const names = kinds.map(({ kind }) => kind);
    makeReady(database, now, nowMs(), names);
    return claimableJobs(database, now, nowMs(), names).flatMap((row) => {
      const lane = kinds.find(({ kind }) => kind === row.kind)?.lane;
      const room = lane === undefined ? 0 : (left.get(lane) ?? 0);
      if (lane === undefined || room <= 0) return [];
      left.set(lane, room - 1);
      return [claimOne(row)];
    });
  };
  return {
    claim: (request) => exchange('claim jobs', 'plain', () => claim(request)),
    extend: (jobs) =>
      exchange('extend claims', 'plain', () => {
        const held = jobs.filter((job) => database.isHeld(job));
        for (const job of held) {
          const row = mine(job);
          if (row) row.heldUntilMs = nowMs() + CLAIM_MS;
        }
        return held.map(({ claim: ours }) => ours);
      }),
    end: (job, end) =>
      exchange('end a job', 'plain', () => {
        const row = mine(job);
        if (row === undefined) return;
        switch (end.next) {
          case 'recorded':
            return;
          case 'done':
            database.removeJob(job);
            return;
          case 'again': {
            const { dueAt, progress = row.progress } = end;
            Object.assign(row, {
              state: 'waiting',
              dueAt,
              progress,
              attempts: 0,
              heldUntilMs: null,
            });
            return;
          }
          case 'later':
            Object.assign(row, {
              state: 'waiting',
              attempts: row.attempts - (end.isTry === true ? 0 : 1),
              heldUntilMs: nowMs() + end.waitMs,
            });
        }
      }),
    failed: (job, waitMs) =>
      exchange('put a job back', 'plain', () => {
        const row = mine(job);
        if (row) Object.assign(row, { state: 'waiting', heldUntilMs: nowMs() + waitMs });
      }),
    giveBack: (job) =>
      exchange('give a claim back', 'plain', () => {
        const row = mine(job);
        if (row === undefined) return false;
        Object.assign(row, { state: 'ready', claim: null, attempts: 0, heldUntilMs: null });
        return true;
      }),
    save: (job, progress) =>
      exchange('save a job', 'plain', () => {
        const row = mine(job);
        if (row === undefined)
          throw new ClaimLapsed(`another worker has claimed the job ${job.kind}`);
        row.progress = progress;
      }),
  };
};
