import type { EventStore, Saga } from '#event-store';
import type { DeadlineHandler } from '../deadlines/deadline.js';

/** Deadlines that sagas have set: each fires in a step in which its saga reacts to it. */
export const sagaDeadlines = (store: EventStore, sagas: readonly Saga[]): DeadlineHandler => ({
  kinds: sagas.flatMap(({ deadlines }) => deadlines),
  handle: (deadline) => {
    const { kind, key: correlationId, dueAt } = deadline;
    const metadata = {
      correlationId, causationId: `${kind} ${dueAt}`, actor: 'clock', traceparent: null,
    };
    return store.step(metadata, (step) => step.firedForSaga(deadline));
  },
});
