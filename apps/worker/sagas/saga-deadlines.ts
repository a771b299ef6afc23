import { type EventStore, type Saga, untraced } from '#log';
import type { JobKind } from '#jobs';

/** The deadlines of sagas: a due deadline is ended in one commit with the reaction of its saga. */
export const sagaDeadlines = (store: EventStore, sagas: readonly Saga[]): readonly JobKind[] =>
  sagas
    .flatMap(({ deadlines }) => deadlines)
    .map((kind) => ({
      kind,
      lane: 'timers',
      run: (job) => {
        const { key: correlationId, dueAt } = job;
        const metadata = untraced(correlationId, `${kind} ${dueAt}`, 'clock');
        return store.step(metadata, (step) => step.firedForSaga(job));
      },
    }));
