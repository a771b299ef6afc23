import type { ReceivedEvent } from './envelope.js';
import type { EventUnreadable } from './feed-reads.js';
import type { Block, LockedStream, StreamState } from './store.js';

const MAX_ERROR_CHARS = 4_000;

export type NewBlock = Omit<Block, 'times' | 'since'>;

const errorText = (error: unknown): string => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.slice(0, MAX_ERROR_CHARS);
};

/**
 * Blocks the stream, or counts a failed retry if the stream is already blocked at this version.
 * Returns the state that it saved.
 */
export const blockAt = async <Tx>(
  locked: LockedStream<Tx>,
  next: NewBlock,
  { version, eventId }: Pick<StreamState, 'version' | 'eventId'> = locked.state,
): Promise<StreamState> => {
  const { block } = locked.state;
  const again =
    block?.version === next.version
      ? { times: block.times + 1, since: block.since }
      : { times: 1, since: new Date().toISOString() };
  const state = { version, eventId, block: { ...next, ...again } };
  await locked.save(state);
  return state;
};

export const gapBlock = (version: number, first: ReceivedEvent): NewBlock => ({
  version: version + 1,
  reason: 'gap',
  type: null,
  error:
    `the versions from ${version + 1} to ${first.sequence - 1} did not arrive before ` +
    `${first.sequence}`,
});

export const feedBlock = (
  version: number,
  message: ReceivedEvent,
  error: EventUnreadable,
): NewBlock => ({
  version: version + 1,
  reason: 'feed',
  type: message.sequence === version + 1 ? message.type : null,
  error: errorText(error),
});

export const failedBlock = (event: ReceivedEvent, failure: unknown): NewBlock => ({
  version: event.sequence,
  reason: 'failed',
  type: event.type,
  error: errorText(failure),
});

export const newerBlock = ({ sequence, type, dataschema }: ReceivedEvent): NewBlock => ({
  version: sequence,
  reason: 'newer',
  type,
  error: `this release of the package does not know ${dataschema}: upgrade the package`,
});

export const divergedBlock = ({ sequence, type }: ReceivedEvent): NewBlock => ({
  version: sequence,
  reason: 'diverged',
  type,
  error:
    `the event of version ${sequence} is not the one that was handled: the log was restored to an ` +
    'earlier state',
});
