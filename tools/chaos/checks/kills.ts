import { KILL_POINTS } from '../kill-points.js';
import { fingerprintOf, type Schedule } from '../schedule.js';
import { type Broken, type Check, isLongChaos } from './check.js';

const pointsOf = ({ kills }: Schedule): readonly string[] =>
  kills.apps.flatMap((plan) => ('point' in plan ? [plan.point] : []));

/**
 * A run in which nothing was killed at a point proves nothing about this point. A long run kills
 * apps at every point; a short run may end before an app reaches some points.
 */
const killedEverywhere: Check = {
  invariant: 2,
  name: 'apps were killed at the points of their work',
  verify: ({ facts }) => {
    const { troubles } = facts;
    if (troubles === null)
      return { isSkipped: true, figure: 'no schedule killed apps', broken: [] };
    const reached = new Set(
      troubles.flatMap(({ schedule, unreached }) =>
        pointsOf(schedule).filter((point) => unreached.every((one) => one !== point)),
      ),
    );
    const missed = KILL_POINTS.filter((point) => !reached.has(point));
    const isTame = isLongChaos(facts) ? missed.length > 0 : reached.size === 0;
    const schedules = troubles.map(({ schedule }) => schedule);
    const kills = schedules.flatMap((one) => Object.values(one.kills)).flat().length;
    const faults = schedules.flatMap((one) => one.faults).length;
    return {
      figure: `${kills} kills and ${faults} faults, at ${reached.size} of ${KILL_POINTS.length} points, schedule ${fingerprintOf(schedules)}`,
      broken: isTame
        ? missed.map((point): Broken => ({ id: 'the run', why: `no app was killed ${point}` }))
        : [],
    };
  },
};

export const KILL_CHECKS: readonly Check[] = [killedEverywhere];
