import { type EventStore, type Saga, untraced } from '#log';
import type { JobKind } from '#jobs';

/** The deadlines that sagas have set: each fires in a commit in which its saga reacts to it. */
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
