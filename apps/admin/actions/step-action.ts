import type { StepBuilder } from '#log';
import { stepOnce, type StepOnceParts } from '#operations';
import type { Subject } from '../shared/audit.js';
import { type About, type Action, type Asked, previewOf } from './action.js';
import type { Note } from './told.js';

/** What a step-action decides: the same for the dry run and for the real one. */
interface StepWork {
  readonly takesTwo: boolean;
  readonly subjectType: Subject['type'];
  /** All of an order's events correlate. Throws a `Rejection` where there is no such thing. */
  readonly correlationOf: (asked: Asked) => Promise<string>;
  readonly work: (step: StepBuilder, asked: Asked) => Promise<void>;
  readonly about: (asked: Asked) => Promise<About | null>;
  readonly notes?: (asked: Asked) => Promise<readonly Note[]>;
}

/**
 * An action that is one step of the log. Its id is answered in the step itself, so it is committed
 * once, however often it is carried out.
 */
export const stepAction = (log: StepOnceParts, parts: StepWork): Action => {
  const { takesTwo, subjectType, correlationOf, work, about, notes } = parts;
  const metadataOf = async (asked: Asked) => ({
    correlationId: await correlationOf(asked),
    causationId: asked.id,
    actor: asked.actor,
    traceparent: null,
  });
  return {
    takesTwo,
    subjectOf: ({ subjectId }) => ({ type: subjectType, id: subjectId }),
    preview: async (asked) => {
      const step = await log.store.preview(await metadataOf(asked), (one) => work(one, asked));
      const told = (await notes?.(asked)) ?? [];
      return previewOf(step, await about(asked), ...told);
    },
    carriedOutAs: 'step',
    execute: (asked) =>
      stepOnce(log, asked.id, async () => ({
        metadata: await metadataOf(asked),
        work: (step) => work(step, asked),
        outcome: {},
      })),
  };
};
