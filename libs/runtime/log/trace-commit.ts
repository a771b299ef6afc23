import { isTracing, noteSpan } from '#platform';
import type { NewEvent, Step } from './step.js';

const eventsOf = ({ appends }: Step): readonly NewEvent[] =>
  appends.flatMap(({ events }) => events).toSorted((a, b) => a.ordinal - b.ordinal);

/**
 * Records the span of a commit, in the trace of its first event. `startedMs`: the Unix time at which
 * the commit was requested.
 */
export const traceCommit = (step: Step, startedMs: number): void => {
  if (!isTracing()) return;
  const events = eventsOf(step);
  const [first] = events;
  if (first === undefined) return;
  const written = step.appends.filter((append) => append.events.length > 0);
  const attributes = {
    'events.types': events.map(({ type }) => type),
    'events.streams': written.map(({ streamType, streamId }) => `${streamType} ${streamId}`),
  };
  noteSpan({ name: 'commit', parent: first.metadata.traceparent, attributes }, startedMs);
};
