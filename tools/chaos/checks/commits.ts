import type { CommitFacts } from '../commit-record.js';
import type { Broken, Check, Verdict } from './check.js';

const SKIPPED: Verdict = { isSkipped: true, figure: 'the run did not record commits', broken: [] };

/** From this number of rows of a kind on, at least one of them must have had a planted conflict. */
const ENOUGH_ROWS = 100;

const NAMES: Readonly<Record<CommitFacts['counts'][number]['what'], string>> = {
  job: 'ends of jobs',
  saga: 'sagas',
  stream: 'streams',
};

const nothingUnchecked: Check = {
  invariant: 2,
  name: 'no commit ends a job under a lost claim, or writes on an outdated version',
  verify: ({ facts: { commits } }) => {
    if (commits === null) return SKIPPED;
    const { counts, unchecked } = commits;
    const broken = unchecked.map(({ what, id }): Broken => ({
      id,
      why: `the ${what} was written although another process had changed it before`,
    }));
    for (const what of Object.keys(NAMES)) {
      if (counts.every((count) => count.what !== what))
        broken.push({ id: 'the run', why: `no commit of the kind ${what} was recorded` });
    }
    for (const { what, all, planted } of counts) {
      if (what === 'stream' || all < ENOUGH_ROWS || planted > 0) continue;
      broken.push({ id: 'the run', why: `none of ${all} ${NAMES[what]} had a planted conflict` });
    }
    const figure = counts
      .map(
        ({ what, all, outdated }) => `${all} ${NAMES[what]}, ${outdated} outdated and not written`,
      )
      .join('; ');
    return { figure, broken };
  },
};

const oneRequestAtATime: Check = {
  invariant: 1,
  name: 'no two requests of one payment run at the same time',
  verify: ({ facts: { commits, effects } }) => {
    if (commits === null) return SKIPPED;
    const broken = commits.overlaps.map(({ subjectId, jobs, rows }): Broken => ({
      id: subjectId,
      why: `${jobs} ran at the same time: ${rows}`,
    }));
    return { figure: `${effects.length} requests`, broken };
  },
};

const onlyByHolders: Check = {
  invariant: 2,
  name: 'no process changes a job or the relay’s cursor after it has lost its claim or lease',
  verify: ({ facts: { commits, troubles } }) => {
    if (commits === null) return SKIPPED;
    const { claims, named, moves, unfenced } = commits.rows;
    const broken: Broken[] = [...unfenced];
    // Only the processes of a chaos run connect to the database with their process ids.
    if ((troubles === null ? claims : named) === 0)
      broken.push({ id: 'the run', why: 'no claim of a job was recorded' });
    if (moves === 0) broken.push({ id: 'the run', why: 'no move of the cursor was recorded' });
    return { figure: `${claims} claims of jobs, ${moves} moves of the cursor`, broken };
  },
};

export const COMMIT_CHECKS: readonly Check[] = [oneRequestAtATime, nothingUnchecked, onlyByHolders];
