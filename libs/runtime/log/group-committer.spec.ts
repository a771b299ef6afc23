import { gate } from '#testing';
import { DatabaseBusy } from './database-busy.js';
import { GroupCommitter } from './group-committer.js';
import { EMPTY_STEP } from './step.js';
import { Wakes } from './wakes.js';

test('while the database does not respond, at most 2,000 steps wait for a batch, and others are rejected', async () => {
  const responds = gate();
  const query = async () => {
    await responds.opened;
    return { rows: [{ conflicts: null }] };
  };
  const connect = () => Promise.resolve({ query, release: () => undefined });
  const committer = new GroupCommitter({ connect } as never, new Wakes());
  const commits = Array.from({ length: 3_000 }, () => committer.commit(EMPTY_STEP));
  responds.open();
  const outcomes = await Promise.allSettled(commits);
  expect(outcomes.slice(0, 2_000).filter(({ status }) => status === 'rejected')).toEqual([]);
  for (const outcome of outcomes.slice(2_000)) {
    expect(outcome).toEqual({ status: 'rejected', reason: expect.any(DatabaseBusy) });
  }
  expect(await committer.commit(EMPTY_STEP)).toEqual([]);
});
