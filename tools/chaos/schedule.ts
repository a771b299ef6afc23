import { createHash } from 'node:crypto';
import type { Fault, FaultKind } from '../stack/sandbox.js';
import type { Shape } from '../stack/stack.js';
import { KILL_POINTS, type KillPoint } from './kill-points.js';
import { type Random, randomFrom } from './random.js';

/**
 * The kills and faults of a run. A seed determines them. They are scheduled by the steps of the run
 * (placed orders, or rounds of refund requests) and not by time, so that a seed leads to the same
 * schedule on every machine.
 */

export type AppVictim = 'all0' | 'all1' | 'api0' | 'api1' | 'worker0' | 'worker1';
export type Victim = AppVictim | 'fulfilment' | 'postgres' | 'session' | 'kafka';

/**
 * The target of a kill (SIGKILL) or suspension. `victim`: a process or server, after a delay; for
 * `session`, the process of one PostgreSQL session, after which the server recovers by itself.
 * `point`: the app that is the `nth` to reach this point in its work. `suspended`: the app is
 * suspended (SIGSTOP), and continues after other processes have taken over its claims and leases.
 */
export type Target =
  | { readonly victim: Victim; readonly afterMs: number }
  | { readonly point: KillPoint; readonly nth: number }
  | { readonly suspended: AppVictim };

export type KillPlan = Target & {
  /** The kill happens after this number of steps has begun. */
  readonly atStep: number;
  readonly downMs: number;
};

export type FaultPlan = Fault & {
  readonly count: number;
  /** The fault is added after this number of steps has begun. */
  readonly atStep: number;
};

export const APPS: Readonly<Record<Shape, readonly [AppVictim, ...AppVictim[]]>> = {
  one: ['all0', 'all1'],
  apart: ['worker0', 'api0', 'worker1', 'api1'],
};
/** The fulfilment example, which reads our topics. */
const OTHERS: readonly Victim[] = ['fulfilment'];
const SERVERS: readonly Victim[] = ['postgres', 'kafka', 'session'];

/**
 * A group of kills that happen one after another. Kills of different groups happen concurrently.
 */
type Group = 'apps' | 'others' | 'servers' | 'suspensions';

export interface Schedule {
  readonly kills: Readonly<Record<Group, readonly KillPlan[]>>;
  readonly faults: readonly FaultPlan[];
}

/**
 * The minimum and maximum number of steps between two kills of a group. Servers are killed less
 * often: while a server is unavailable, apps do no work that another kill could interrupt.
 */
const EVERY: Readonly<Record<Group, readonly [least: number, most: number]>> = {
  apps: [2, 8],
  others: [4, 12],
  servers: [6, 20],
  suspensions: [20, 40],
};
/**
 * The maximum `nth` of a kill. It is low in a short run, in which apps reach each kill point only a
 * few times.
 */
const maxNth = (steps: number): number => Math.min(4, Math.ceil(steps / 16));
const MAX_AFTER_MS = 1_000;
export const MAX_DOWN_MS = 800;
const MAX_FAULTS_PER_STEP = 2;

/** The minimum number of steps of a schedule that contains every target and a suspension. */
const LONG = 24;
/** A shorter schedule contains one target per this number of steps. */
const STEPS_PER_TARGET = 4;

/** Plans kills of each target once, then kills of random targets. */
const planKills = (
  random: Random,
  steps: number,
  [least, most]: readonly [number, number],
  targets: readonly (() => Target)[],
): readonly KillPlan[] => {
  const plans: KillPlan[] = [];
  const count = steps >= LONG ? targets.length : Math.ceil(steps / STEPS_PER_TARGET);
  const first = random.shuffled(targets).slice(0, count);
  // The first kills are planned at shorter intervals, so that the schedule reaches each target.
  const mostAtFirst = Math.max(1, Math.min(most, Math.floor(steps / first.length)));
  // The first kill happens early enough that work follows.
  const leastAtFirst = Math.min(least, mostAtFirst, Math.ceil(steps / 3));
  for (let atStep = 0; ;) {
    const isFirst = plans.length < first.length;
    atStep += isFirst ? random.int(leastAtFirst, mostAtFirst) : random.int(least, most);
    if (atStep > steps) return plans;
    const target = first[plans.length] ?? first[random.int(0, first.length - 1)];
    if (target === undefined) return plans;
    plans.push({ ...target(), atStep, downMs: random.int(0, MAX_DOWN_MS) });
  }
};

const FAULT_KINDS: readonly [FaultKind, ...FaultKind[]] = [
  'drop_after',
  'drop_after',
  'half_answer',
  'drop_before',
  'reset',
  'status_500',
  'status_502_html',
  'status_429',
  'delay',
];

/**
 * The routes of provider requests that faults may affect. A route that is listed twice is affected
 * more often.
 */
type Routes = readonly [string, ...string[]];

const ORDER_ROUTES: Routes = [
  'POST /v2/payment_intents',
  'GET /v2/payment_intents',
  'GET /v2/payment_intents/{pi_id}',
  'GET /v2/payment_intents/{pi_id}/payments',
  'POST /v2/payment_intents/{pi_id}/capture',
  'POST /v2/payment_intents/{pi_id}/capture',
  'DELETE /v2/payment_intents/{pi_id}',
];

export const REFUND = 'POST /v2/payment_intents/{pi_id}/refund';

/**
 * Most faults of refund requests lose the response, and few lose the request. After a lost request
 * an operator must decide, and until then no other refund of the payment is possible.
 */
const REFUND_FAULT_KINDS: readonly [FaultKind, ...FaultKind[]] = [
  'drop_after',
  'drop_after',
  'half_answer',
  'half_answer',
  'drop_before',
  'status_500',
  'status_429',
  'delay',
];

const REFUND_ROUTES: Routes = [
  REFUND,
  REFUND,
  REFUND,
  'GET /v2/payment_intents/{pi_id}/refunds',
  'GET /v2/payment_intents/{pi_id}/refunds',
  'GET /v2/payment_intents/{pi_id}',
  'GET /v2/payment_intents/{pi_id}/payments',
  'GET /v2/refunds',
];

const planFault = (random: Random, routes: Routes): Omit<FaultPlan, 'atStep'> => {
  const route = random.pick(routes);
  return {
    route,
    kind: random.pick(route === REFUND ? REFUND_FAULT_KINDS : FAULT_KINDS),
    count: random.int(1, 2),
    delayMs: random.int(50, 1_500),
  };
};

const planFaults = (random: Random, steps: number, routes: Routes): readonly FaultPlan[] =>
  Array.from({ length: steps }, (_, index) =>
    Array.from({ length: random.int(1, MAX_FAULTS_PER_STEP) }, () => ({
      atStep: index + 1,
      ...planFault(random, routes),
    })),
  ).flat();

/** A phase of a run. Each has its own routes and random choices. */
export type PhaseName = 'orders' | 'refunds';

const ROUTES_OF: Readonly<Record<PhaseName, Routes>> = {
  orders: ORDER_ROUTES,
  refunds: REFUND_ROUTES,
};

/** Plans the kills and faults of a phase that has this number of steps. */
export const planSchedule = (
  seed: number,
  steps: number,
  {
    shape,
    servers,
    phase,
  }: { readonly shape: Shape; readonly servers: boolean; readonly phase: PhaseName },
): Schedule => {
  const planned = (group: Group, targets: (random: Random) => readonly (() => Target)[]) => {
    const random = randomFrom(seed, `kills of ${group} while ${phase} run`);
    return planKills(random, steps, EVERY[group], targets(random));
  };
  const anyOf = (victims: readonly Victim[]) => (random: Random) =>
    victims.map((victim) => () => ({ victim, afterMs: random.int(0, MAX_AFTER_MS) }));
  const apps = APPS[shape];
  return {
    kills: {
      apps: planned('apps', (random) => [
        ...anyOf(apps)(random),
        ...KILL_POINTS.map((point) => () => ({ point, nth: random.int(1, maxNth(steps)) })),
      ]),
      others: planned('others', anyOf(OTHERS)),
      servers: servers ? planned('servers', anyOf(SERVERS)) : [],
      // A short run has no suspension, because a suspension takes longer than the run.
      suspensions:
        steps < LONG
          ? []
          : planned('suspensions', (random) => [() => ({ suspended: random.pick(apps) })]),
    },
    faults: planFaults(randomFrom(seed, `faults while ${phase} run`), steps, ROUTES_OF[phase]),
  };
};

/**
 * Identifies a schedule in the report. Two runs with the same fingerprint had the same schedule.
 */
export const fingerprintOf = (schedules: readonly Schedule[]): string =>
  createHash('sha256').update(JSON.stringify(schedules)).digest('hex').slice(0, 12);
