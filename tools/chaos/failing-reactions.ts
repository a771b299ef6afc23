import type { Stimulus } from '#log';
import { checkoutInStep } from '#sagas';
import { reactionFaultsHere } from './reaction-faults.js';

/**
 * Makes random reactions of the checkout saga fail in the process under test, before or after their
 * commands are decided. A failure lasts for some seconds. If it affected only one attempt, the
 * event store would hide it: after a failure with cached states, it runs the step again with states
 * read from the log.
 */

/**
 * The duration of a failure. It is long enough that further events of the order arrive and must
 * wait.
 */
const MIN_FAILING_MS = 4_000;
const MAX_FAILING_MS = 12_000;

interface Failing {
  readonly when: 'before' | 'after';
  readonly untilMs: number;
}

const faults = reactionFaultsHere();
const failing = new Map<string, Failing>();

const nameOf = (key: string, stimulus: Stimulus): string => {
  if (stimulus.from === 'deadline') return `${key} ${stimulus.kind} ${stimulus.dueAt}`;
  const { streamId, version, type } = stimulus.event;
  return `${key} ${type} ${streamId}/${version}`;
};

/**
 * Draws whether the reaction fails before or after its commands are decided; null when the reaction
 * does not fail.
 */
const draw = (name: string): Failing['when'] | null => {
  const rate = faults.rate();
  if (rate === 0) return null;
  const known = failing.get(name);
  if (known !== undefined && known.untilMs > Date.now()) return known.when;
  const { random } = faults;
  if (!random.chance(rate)) return null;
  const when = random.pick<Failing['when']>(['before', 'after']);
  const forMs = random.int(MIN_FAILING_MS, MAX_FAILING_MS);
  failing.set(name, { when, untilMs: Date.now() + forMs });
  faults.noteFailure(`${process.pid} ${when} ${name}`);
  return when;
};

const { react } = checkoutInStep;

Object.assign(checkoutInStep, {
  react: async (...given: Parameters<typeof react>) => {
    const [, stimulus, { key }] = given;
    const when = draw(nameOf(key, stimulus));
    if (when === 'before')
      throw new Error('a planted failure before the reaction decides its commands');
    const outcome = await react(...given);
    if (when === 'after')
      throw new Error('a planted failure after the reaction has decided its commands');
    if (stimulus.from === 'event') {
      const { streamId, version } = stimulus.event;
      faults.noteSuccess(`${streamId}/${version}`);
    }
    return outcome;
  },
});
