import { type StepBuilder, untraced } from '#log';
import { stepOnce, type StepOnceParts, type AuditSubject as Subject } from '#operations';
import { type Action, type Asked, previewOf } from './action.js';
import type { ActionAbout, Note } from './preview-items.js';

/** The decision of a step action, shared by preview and execution. */
interface StepWork {
  readonly takesTwo: boolean;
  readonly subjectType: Subject['type'];
  /** The correlation id, shared by all events of an order. Throws a `Rejection` if not found. */
  readonly correlationOf: (asked: Asked) => Promise<string>;
  readonly work: (step: StepBuilder, asked: Asked) => Promise<void>;
  readonly about: (asked: Asked) => Promise<ActionAbout | null>;
  readonly notes?: (asked: Asked) => Promise<readonly Note[]>;
}

/**
 * An action that is one step of the log. The step records the action's id, so that it is committed
 * once even if executed again.
 */
export const stepAction = (log: StepOnceParts, parts: StepWork): Action => {
  const { takesTwo, subjectType, correlationOf, work, about, notes } = parts;
  const metadataOf = async (asked: Asked) =>
    untraced(await correlationOf(asked), asked.id, asked.actor);
  return {
    takesTwo,
    subjectOf: ({ subjectId }) => ({ type: subjectType, id: subjectId }),
    preview: async (asked) => {
      const step = await log.store.preview(await metadataOf(asked), (one) => work(one, asked));
      const extraNotes = (await notes?.(asked)) ?? [];
      return previewOf(step, await about(asked), ...extraNotes);
    },
    executedAs: 'step',
    execute: (asked) =>
      stepOnce(log, asked.id, async () => ({
        metadata: await metadataOf(asked),
        work: (step) => work(step, asked),
        outcome: {},
      })),
  };
};
