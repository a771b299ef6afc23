import type { Clock } from '#kernel';
import type { Reactions, Saga } from '#log';
import { ORCHESTRATION } from '#orchestrator';
import type { Scheduler } from '../scheduler.js';

/**
 * The production sagas with faults: with the probability `rate` a reaction throws, before or after
 * it has decided its commands. `clock` is the clock of the process.
 */
export const faultyReactions = (
  scheduler: Scheduler,
  rate: () => number,
  clock: Clock = scheduler.clock,
): Reactions => ({
  clock,
  sagas: ORCHESTRATION.sagas.map((saga): Saga => ({
    ...saga,
    react: async (...given) => {
      const { random } = scheduler;
      const fails = random.chance(rate());
      if (fails && random.chance(0.5)) throw new Error('a planted bug before the commands');
      const outcome = await saga.react(...given);
      if (fails) throw new Error('a planted bug after the commands');
      return outcome;
    },
  })),
});
