import { hash } from 'node:crypto';
import type { ConflictRow, QueuedRow } from './conflict.js';
import type { SagaWrite, Step } from './step.js';
import { WAKE_CHANNEL } from './wakes.js';

/** A 64-bit advisory lock key for a name: the first half of its MD5, as a signed number. */
const lockKey = (name: string): bigint =>
  BigInt.asIntN(64, BigInt(`0x${hash('md5', name, 'hex').slice(0, 16)}`));

/** The lock name of a saga instance. */
export const sagaKeyOf = ({ saga, key }: { readonly saga: string; readonly key: string }): string =>
  `saga ${saga} ${key}`;

/**
 * The lock names of everything that the step reads or writes. Two steps of a batch have no lock
 * name in common.
 */
export const keysOf = (step: Step): readonly string[] => {
  const keys = step.appends.map(({ streamType, streamId }) => `stream ${streamType} ${streamId}`);
  for (const { scope, key } of step.reservations) keys.push(`reservation ${scope} ${key}`);
  const { sagas, answer, endedJob } = step;
  for (const saga of sagas) keys.push(sagaKeyOf(saga));
  if (answer) keys.push(`answer ${answer.platformId} ${answer.key}`);
  if (endedJob) keys.push(`job ${endedJob.kind} ${endedJob.key}`);
  for (const { kind, key } of step.deadlines) keys.push(`job ${kind} ${key}`);
  return keys;
};

/**
 * The locks of a batch, in ascending order and without repetition. Every process locks in ascending
 * order, so there is no deadlock.
 */
export const locksOf = (keys: readonly string[]): string[] =>
  [...new Set(keys.map(lockKey))]
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    .map((key) => key.toString());

/** The lists that the database function `commit_steps` takes, in the sequence of its parameters. */
const LISTS = [
  'appends',
  'events',
  'sagas',
  'names',
  'answers',
  'ended',
  'jobs',
  'webhooks',
] as const;

const COMMIT_STEPS_SQL = `SELECT commit_steps($1, ${LISTS.map(
  (_list, index) => `$${index + 2}`,
).join(', ')}) AS conflicts`;

/**
 * NOTIFY is part of the transaction, so the notification is sent if and only if the transaction is
 * committed.
 */
const COMMIT_AND_NOTIFY_SQL = `${COMMIT_STEPS_SQL}, pg_notify('${WAKE_CHANNEL}', $${LISTS.length + 2})`;

type Lists = Partial<Record<(typeof LISTS)[number], object[]>>;

const addAppends = (lists: Lists, step: Step, s: number): void => {
  const rows: { ordinal: number; row: object }[] = [];
  for (const { streamType, streamId, expectedVersion, events } of step.appends) {
    (lists.appends ??= []).push({ s, type: streamType, id: streamId, expected: expectedVersion });
    events.forEach((event, index) => {
      const { ordinal, eventId, type, schemaVersion, data, metadata } = event;
      const row = {
        s,
        stream_type: streamType,
        stream_id: streamId,
        version: expectedVersion + 1 + index,
        event_id: eventId,
        type,
        schema_version: schemaVersion,
        data,
        metadata,
      };
      rows.push({ ordinal, row });
    });
  }
  // Positions in the log are assigned in the order of these rows.
  rows.sort((a, b) => a.ordinal - b.ordinal);
  for (const { row } of rows) (lists.events ??= []).push(row);
};

const addDuties = (lists: Lists, step: Step, s: number): void => {
  for (const { kind, key, dueAt, tries } of step.deadlines) {
    const progress = tries === undefined || tries === 0 ? {} : { tries };
    const state = dueAt === null ? null : 'waiting';
    (lists.jobs ??= []).push({ s, kind, key, state, due: dueAt, progress });
  }
  for (const {
    jobId: key,
    kind,
    subjectId: subject,
    accountId: account,
    askedAt: due,
    begun,
  } of step.effects) {
    const row = { s, kind, key, state: 'ready', due, subject, account };
    (lists.jobs ??= []).push(
      begun === null ? row : { ...row, claim: begun.claim, ms: begun.claimMs },
    );
  }
  for (const { kind, subjectId: subject } of step.unneeded) {
    (lists.jobs ??= []).push({ s, kind, state: 'unneeded', subject });
  }
};

/** The version of a row without `state` is compared, but the row is not written. */
const sagaRow = ({ saga, key, expectedVersion: expected, write }: SagaWrite, s: number): object => {
  const row = { s, saga, key, expected };
  if (write === null) return row;
  const { state, done, waiting, retryAfterMs } = write;
  const after = retryAfterMs === Infinity ? 'infinity' : `${retryAfterMs} milliseconds`;
  return { ...row, state, done, waiting, ...(retryAfterMs === null ? {} : { after }) };
};

/**
 * The lists of a batch as parameters of `commit_steps`: each list as JSON, `null` if it is empty.
 */
const stepLists = (steps: readonly Step[]): readonly (string | null)[] => {
  const lists: Lists = {};
  steps.forEach((step, s) => {
    addAppends(lists, step, s);
    addDuties(lists, step, s);
    const { answer, endedJob } = step;
    for (const saga of step.sagas) (lists.sagas ??= []).push(sagaRow(saga, s));
    for (const reservation of step.reservations) {
      (lists.names ??= []).push({ s, ...reservation });
    }
    if (answer) {
      const { platformId: platform, ...rest } = answer;
      (lists.answers ??= []).push({ s, platform, ...rest });
    }
    if (endedJob) {
      const { kind, key, claim, expected, left } = endedJob;
      const { state, dueAt: due, note } = left ?? {};
      (lists.ended ??= []).push({ s, kind, key, claim, expected, state, due, note });
    }
    for (const webhook of step.webhooks) (lists.webhooks ??= []).push({ s, ...webhook });
  });
  return LISTS.map((name) => {
    const list = lists[name];
    return list ? JSON.stringify(list) : null;
  });
};

/**
 * What `commit_steps` returns: one row for the batch; `null` if every step was committed and no job
 * has to wait.
 */
export interface CommitRow {
  readonly conflicts: readonly (ConflictRow | QueuedRow)[] | null;
}

/**
 * The statement that commits a batch of steps; `keys` are the lock names of all steps, from
 * `keysOf`. The commit sends `notification` to the other processes.
 */
export const commitCall = (
  steps: readonly Step[],
  keys: readonly string[],
  notification: string | null,
) => {
  const values = [locksOf(keys), ...stepLists(steps)];
  return notification === null
    ? { name: 'commit-steps', text: COMMIT_STEPS_SQL, values }
    : {
        name: 'commit-steps-and-notify',
        text: COMMIT_AND_NOTIFY_SQL,
        values: [...values, notification],
      };
};
