import { type StepBuilder, untraced } from '#log';
import { stepOnce, type StepOnceParts, type AuditSubject as Subject } from '#operations';
import { type Action, type Asked, previewOf } from './action.js';
import type { Note } from './preview-codes.js';
import type { ActionAbout } from './preview-items.js';

/** The part of an action that its preview and its execution share. */
export interface StepWork {
  readonly takesTwo: boolean;
  readonly subjectType: Subject['type'];
  /**
   * Returns the correlation id of the appended events, e.g. the order's id. Throws a `Rejection` if
   * the target is not found.
   */
  readonly correlationOf: (asked: Asked) => Promise<string>;
  readonly work: (step: StepBuilder, asked: Asked) => Promise<void>;
  readonly about: (asked: Asked) => Promise<ActionAbout | null>;
  readonly notes?: (asked: Asked) => Promise<readonly Note[]>;
  /** Changes rows after the commit; idempotent, because it is repeated after a crash. */
  readonly afterwards?: (asked: Asked) => Promise<void>;
}

/**
 * An action that appends events to the log in one commit. The commit records the action's id, so
 * that the events are not appended a second time if the action is executed again.
 */
export const stepAction = (log: StepOnceParts, parts: StepWork): Action => {
  const { takesTwo, subjectType, correlationOf, work, about, notes, afterwards } = parts;
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
    execute: async (asked) => {
      const outcome = await stepOnce(log, asked.id, async () => ({
        metadata: await metadataOf(asked),
        work: (step) => work(step, asked),
        outcome: {},
      }));
      await afterwards?.(asked);
      return outcome;
    },
  };
};
