import { MAX_SEQUENCE } from './decode.js';
import { type ReceivedEvent, streamOf, type StreamRef } from './envelope.js';
import { EventUnreadable, type FeedReads } from './feed-reads.js';
import type { LockedStream, StreamState } from './store.js';

/** Messages of one stream, in the order in which they arrived. */
export type Messages = readonly [ReceivedEvent, ...ReceivedEvent[]];

/** A store in JavaScript that was written for an earlier release returns no id at all. */
const isKnown = (eventId: StreamState['eventId']): eventId is string => typeof eventId === 'string';

/**
 * Whether the messages neither continue the stream directly nor repeat its last handled event: only
 * then the log is read, so that this costs nothing while no message is lost or published again.
 */
const mayDiffer = ({ version, block }: StreamState, messages: Messages): boolean => {
  if (messages.some(({ sequence }) => sequence === version)) return false;
  const [{ sequence }] = messages;
  return sequence < version || (block === null && sequence > version + 1);
};

/** The last event of a log that ends before `version`; null if the log does not have the stream. */
const lastInLog = async (
  reads: FeedReads,
  version: number,
  repeated: ReceivedEvent,
  signal: AbortSignal,
): Promise<ReceivedEvent | null> => {
  const stream = streamOf(repeated);
  const known = await reads.read(stream, repeated.sequence, signal);
  for (let at = version - 1; known !== null && at > known.sequence; at -= 1) {
    const event = await reads.read(stream, at, signal);
    if (event !== null) return event;
  }
  return known;
};

/**
 * The event that the log has instead of the last handled one of a stream; null if it has this one,
 * or cannot return any. Without a feed, the log cannot be asked.
 */
export const replacedInLog = async (
  reads: FeedReads | null,
  stream: StreamRef,
  { version, eventId }: StreamState,
  signal: AbortSignal,
): Promise<ReceivedEvent | null> => {
  if (reads === null || !isKnown(eventId)) return null;
  try {
    const logged = await reads.read(stream, version, signal);
    return logged?.id === eventId ? null : logged;
  } catch (error) {
    if (error instanceof EventUnreadable) return null;
    throw error;
  }
};

/**
 * The event that the log has instead of the last handled one, or before it, if the log was restored
 * to an earlier state; null if there is no sign of it. Without a feed, the messages are the log.
 */
export const divergedAt = async (
  reads: FeedReads | null,
  state: StreamState,
  messages: Messages,
  signal: AbortSignal,
): Promise<ReceivedEvent | null> => {
  const { version, eventId } = state;
  if (!isKnown(eventId)) return null;
  const other = messages.find(({ sequence, id }) => sequence === version && id !== eventId);
  if (reads === null) return other ?? null;
  if (other === undefined && !mayDiffer(state, messages)) return null;
  const [first] = messages;
  try {
    const logged = await reads.read(streamOf(first), version, signal);
    if (logged !== null) return logged.id === eventId ? null : logged;
    return first.sequence < version ? await lastInLog(reads, version, first, signal) : null;
  } catch (error) {
    if (error instanceof EventUnreadable) return null;
    throw error;
  }
};

const deleteFrom = async <Tx>(locked: LockedStream<Tx>, version: number): Promise<void> => {
  const earlier: ReceivedEvent[] = [];
  let next = await locked.firstKept(locked.state.version);
  while (next !== null && next.sequence < version) {
    earlier.push(next);
    next = await locked.firstKept(next.sequence);
  }
  await locked.release(MAX_SEQUENCE);
  for (const event of earlier) await locked.keep(event);
};

/**
 * Deletes the stored events of a blocked stream from the first version on for which a message has
 * another event: the log was restored to an earlier state and lost them.
 */
export const deleteLost = async <Tx>(
  locked: LockedStream<Tx>,
  messages: Messages,
): Promise<void> => {
  for (const { sequence, id } of messages) {
    const stored = await locked.firstKept(sequence - 1);
    if (stored?.sequence === sequence && stored.id !== id) {
      await deleteFrom(locked, sequence);
      return;
    }
  }
};
