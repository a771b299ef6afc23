import { KILL_POINTS } from '../kill-points.js';
import { fingerprintOf, type Schedule } from '../schedule.js';
import { type Broken, type Check, isLongChaos } from './check.js';

const pointsOf = ({ kills }: Schedule): readonly string[] =>
  kills.apps.flatMap((plan) => ('point' in plan ? [plan.point] : []));

/** A run in which nothing was killed at a point proves nothing about this point. */
const killedEverywhere: Check = {
  invariant: 2,
  name: 'apps were killed at each point of their work',
  verify: ({ facts }) => {
    const { troubles } = facts;
    if (troubles === null)
      return { isSkipped: true, figure: 'no schedule killed apps', broken: [] };
    const reached = new Set(
      troubles.flatMap(({ schedule, unreached }) =>
        pointsOf(schedule).filter((point) => unreached.every((one) => one !== point)),
      ),
    );
    const planned = new Set(troubles.flatMap(({ schedule }) => pointsOf(schedule)));
    const demanded = isLongChaos(facts) ? KILL_POINTS : [...planned];
    const broken = demanded
      .filter((point) => !reached.has(point))
      .map((point): Broken => ({ id: 'the run', why: `no app was killed ${point}` }));
    const schedules = troubles.map(({ schedule }) => schedule);
    const kills = schedules.flatMap((one) => Object.values(one.kills)).flat().length;
    const faults = schedules.flatMap((one) => one.faults).length;
    return {
      figure: `${kills} kills and ${faults} faults, schedule ${fingerprintOf(schedules)}`,
      broken,
    };
  },
};

export const KILL_CHECKS: readonly Check[] = [killedEverywhere];
