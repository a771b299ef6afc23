import type { Reactions, Saga } from '#log';
import { ORCHESTRATION } from '#orchestrator';
import type { Scheduler } from '../scheduler.js';

/**
 * The production sagas with planted errors: they throw at the given rate, before or after their
 * commands.
 */
export const faultyReactions = (scheduler: Scheduler, rate: () => number): Reactions => ({
  clock: scheduler.clock,
  sagas: ORCHESTRATION.sagas.map((saga): Saga => ({
    ...saga,
    react: async (...given) => {
      const { random } = scheduler;
      const fails = random.chance(rate());
      if (fails && random.chance(0.5)) throw new Error('a planted bug, before');
      const outcome = await saga.react(...given);
      if (fails) throw new Error('a planted bug, after');
      return outcome;
    },
  })),
});
