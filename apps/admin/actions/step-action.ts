import { AlreadyAnswered, type EventStore, type StepBuilder } from '#event-store';
import type { Subject } from '../audit/audit.js';
import { type Action, type Asked, previewOf } from './action.js';

/** What a step-action decides: the same for the dry run and for the real one. */
interface StepWork {
  readonly movesMoney: boolean;
  readonly subjectType: Subject['type'];
  /** All of an order's events correlate. Throws a `Rejection` where there is no such thing. */
  readonly correlationOf: (asked: Asked) => Promise<string>;
  readonly work: (step: StepBuilder, asked: Asked) => Promise<void>;
  readonly notes?: readonly string[];
}

/** Answers under an action's id are kept beside those of the platforms. */
const SCOPE = 'console';

/**
 * An action that is one step of the log. Its id is answered in the step itself, so it is committed
 * once, however often it is carried out.
 */
export const stepAction = (store: EventStore, parts: StepWork): Action => {
  const { movesMoney, subjectType, correlationOf, work, notes = [] } = parts;
  const metadataOf = async (asked: Asked) => ({
    correlationId: await correlationOf(asked), causationId: asked.id, actor: asked.actor,
    traceparent: null,
  });
  return {
    movesMoney,
    subjectOf: ({ subjectId }) => ({ type: subjectType, id: subjectId }),
    preview: async (asked) => {
      const step = await store.preview(await metadataOf(asked), (one) => work(one, asked));
      return previewOf(step, ...notes);
    },
    execute: async (asked) => {
      try {
        await store.step(await metadataOf(asked), async (step) => {
          await work(step, asked);
          step.answered({
            platformId: SCOPE, key: asked.id, fingerprint: asked.id, status: 200, body: {},
          });
        });
      } catch (error) {
        if (!(error instanceof AlreadyAnswered)) throw error;
      }
      return {};
    },
  };
};
