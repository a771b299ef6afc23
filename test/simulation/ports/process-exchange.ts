import type { Process, Scheduler } from '../scheduler.js';
import type { Exchange } from './exchange.js';

/**
 * The error of the database driver when the connection breaks; whether the statement was executed
 * is unknown.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = 'ECONNRESET';
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

const outcomeOf = <T>(effect: () => T): Outcome<T> => {
  try {
    return { value: effect() };
  } catch (error) {
    return { error };
  }
};

export const connectionOf =
  (scheduler: Scheduler, process: Process, breakRate: () => number): Exchange =>
  async (label, kind, effect) => {
    const { random } = scheduler;
    const breaks = random.chance(breakRate());
    const before = breaks && random.chance(0.5);
    await scheduler.turn(process, before ? `${label} (connection lost before)` : label);
    if (before) throw new ConnectionLost('connection lost');
    const outcome = outcomeOf(effect);
    if (kind === 'commit') await scheduler.turn(process, `${label} answered`);
    if (breaks) throw new ConnectionLost('connection lost');
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
