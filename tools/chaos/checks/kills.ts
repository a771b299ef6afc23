import { targetOf } from '../deeds.js';
import type { TroubleFacts } from '../facts.js';
import { KILL_POINTS } from '../kill-points.js';
import { fingerprintOf, REFUND } from '../schedule.js';
import { type Broken, type Check, isLongChaos } from './check.js';

/**
 * The minimum share of the planned kills that must happen in a long run, and the minimum share of
 * the planned faults that must affect a request.
 */
const MIN_KILLS_SHARE = 0.75;
const MIN_HITS_SHARE = 0.25;
/**
 * The maximum number of kill points at which a phase of a long run kills no app. The whole run must
 * kill apps at all points.
 */
const MAX_POINTS_MISSED = 1;

const doneIn = ({ kills }: TroubleFacts): ReadonlySet<string> =>
  new Set(kills.filter(({ isDone }) => isDone).map(({ plan }) => targetOf(plan)));

const plannedIn = ({ schedule }: TroubleFacts): ReadonlySet<string> =>
  new Set(Object.values(schedule.kills).flatMap((plans) => plans.map(targetOf)));

/**
 * The service that is killed only while it handles an event. It may be idle for long, so a run must
 * kill it once, and its missed kills do not count in the share of kills that happened.
 */
const SERVICE = 'fulfilment';

const ofRun = (why: string): Broken => ({ id: 'the run', why });

/** Reports when too few of the planned kills and suspensions happened in a phase of a long run. */
const tameIn = (trouble: TroubleFacts): readonly Broken[] => {
  const [done, planned] = [doneIn(trouble), plannedIn(trouble)];
  const missed = KILL_POINTS.filter((point) => planned.has(point) && !done.has(point));
  const kills = trouble.kills.filter(({ plan }) => targetOf(plan) !== SERVICE);
  const count = kills.filter(({ isDone }) => isDone).length;
  const others = ['suspended', 'postgres', 'kafka', 'session'].filter(
    (target) => planned.has(target) && !done.has(target),
  );
  return [
    ...(missed.length > MAX_POINTS_MISSED
      ? [ofRun(`in one phase, no app was killed ${missed.join(', ')}`)]
      : []),
    ...(count < kills.length * MIN_KILLS_SHARE
      ? [ofRun(`only ${count} of ${kills.length} kills of a phase happened`)]
      : []),
    ...others.map((target) => ofRun(`in one phase, this was planned but not done: ${target}`)),
  ];
};

/**
 * A run proves nothing about a kill point at which it killed no app. A long run must therefore kill
 * apps at every point. A short run may end before an app reaches some points.
 */
const killedEverywhere: Check = {
  invariant: 2,
  name: 'apps were killed at the points of their work, and kills happened as planned',
  verify: ({ facts }) => {
    const { troubles } = facts;
    if (troubles === null)
      return { isSkipped: true, figure: 'the run planned no kills of apps', broken: [] };
    const done = new Set(troubles.flatMap((one) => [...doneIn(one)]));
    const missed = KILL_POINTS.filter((point) => !done.has(point));
    const isLong = isLongChaos(facts);
    const isTame = isLong ? missed.length > 0 : missed.length === KILL_POINTS.length;
    const kills = troubles.flatMap((one) => one.kills);
    const happened = kills.filter(({ isDone }) => isDone).length;
    const schedules = troubles.map(({ schedule }) => schedule);
    return {
      figure:
        `${happened} of ${kills.length} planned, at ${KILL_POINTS.length - missed.length} of ` +
        `${KILL_POINTS.length} points, schedule ${fingerprintOf(schedules)}`,
      broken: [
        ...(isTame ? missed.map((point) => ofRun(`no app was killed ${point}`)) : []),
        ...(isLong ? troubles.flatMap(tameIn) : []),
        ...(isLong && !done.has(SERVICE)
          ? [ofRun(`no kill interrupted the service ${SERVICE}`)]
          : []),
      ],
    };
  },
};

/** Faults that lose the response, or a part of it, to a request that the provider has executed. */
const LOSE_ANSWERS: ReadonlySet<string> = new Set(['drop_after', 'half_answer']);

/** Enough faults must affect a request, because other faults prove nothing. */
const faultsHit: Check = {
  invariant: 2,
  name: 'faults hit provider requests, and refunds lost their responses',
  verify: ({ facts }) => {
    const { troubles, refundsRequested } = facts;
    if (troubles === null)
      return { isSkipped: true, figure: 'no schedule added faults', broken: [] };
    const faults = troubles.flatMap((one) => one.faults);
    const hit = faults.filter(({ hits }) => hits > 0);
    const lost = hit.filter(({ plan }) => plan.route === REFUND && LOSE_ANSWERS.has(plan.kind));
    const isLong = isLongChaos(facts);
    const isTame = isLong
      ? troubles.some(
          (one) =>
            one.faults.filter(({ hits }) => hits > 0).length < one.faults.length * MIN_HITS_SHARE,
        )
      : hit.length === 0;
    return {
      figure: `${hit.length} of ${faults.length} faults, ${lost.length} lost responses of refunds`,
      broken: [
        ...(isTame ? [ofRun(`only ${hit.length} of ${faults.length} faults hit a request`)] : []),
        ...(isLong && refundsRequested !== null && lost.length === 0
          ? [ofRun('no refund lost its response')]
          : []),
      ],
    };
  },
};

export const KILL_CHECKS: readonly Check[] = [killedEverywhere, faultsHit];
