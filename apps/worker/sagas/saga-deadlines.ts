import { type EventStore, type Saga, untraced } from '#log';
import type { JobKind } from '#jobs';

/** Runs due deadlines of sagas: the commit of the saga's reaction also ends the deadline. */
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
