import { isDeepStrictEqual } from 'node:util';
import { decodeStructured } from './decode.js';
import type { ReceivedEvent, StreamRef } from './envelope.js';
import { withTimeLimit } from './time-limit.js';

/** Reads events from the orchestrator's event log. */
export interface Feed {
  /** The event in the log; null if there is none. @throws FeedUnavailable */
  read(stream: StreamRef, version: number, signal: AbortSignal): Promise<ReceivedEvent | null>;
}

/** Thrown when the log could not be read, so the event is neither confirmed nor refuted. */
export class FeedUnavailable extends Error {
  override readonly name = 'FeedUnavailable';
}

export interface RestFeedOptions {
  /** The base URL of the orchestrator's API, e.g. `https://payments.example.com`. */
  readonly url: string;
  /** An API key with the read scopes of the subscribed streams. */
  readonly apiKey: string;
  /** The timeout of a read; 5 seconds by default. */
  readonly timeoutMs?: number;
}

/** The API's error code for an event that does not exist, or that this API key may not read. */
const NOT_FOUND_CODE = 'event_not_found';

const codeOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;

const requestedEvent = (body: unknown, stream: StreamRef, version: number): ReceivedEvent => {
  try {
    const event = decodeStructured(body, stream.streamType);
    if (event.subject === stream.streamId && event.sequence === version) return event;
  } catch (error) {
    throw new FeedUnavailable('the response is not an event', { cause: error });
  }
  throw new FeedUnavailable('the response contains a different event than the requested one');
};

/**
 * Reads events from the orchestrator's REST API. Only the API's 404 problem means that the event
 * does not exist. Any other error response, e.g. for a wrong URL or API key, throws
 * FeedUnavailable.
 */
export const restFeed = ({ url, apiKey, timeoutMs = 5_000 }: RestFeedOptions): Feed => {
  const base = url.replace(/\/+$/, '');
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/cloudevents+json' };
  const ask = async (path: string, signal: AbortSignal): Promise<[Response, unknown]> => {
    try {
      return await withTimeLimit(signal, timeoutMs, async (limit) => {
        const answer = await fetch(`${base}${path}`, {
          headers,
          signal: limit,
          // The target of a redirect is not the event log, and must not get the key.
          redirect: 'manual',
        });
        return [answer, JSON.parse(await answer.text()) as unknown];
      });
    } catch (error) {
      throw new FeedUnavailable(`GET ${path} returned no readable response`, { cause: error });
    }
  };
  return {
    read: async ({ streamType, streamId }, version, signal) => {
      const path = `/v1/events/${streamType}/${encodeURIComponent(streamId)}/${version}`;
      const [answer, body] = await ask(path, signal);
      const code = codeOf(body);
      if (answer.status === 404 && code === NOT_FOUND_CODE) return null;
      if (answer.ok) return requestedEvent(body, { streamType, streamId }, version);
      throw new FeedUnavailable(`GET ${path} returned ${answer.status} ${String(code ?? '')}`);
    },
  };
};

/**
 * Whether a message equals the event that the log has for the same stream and version. If the log
 * returns a newer schema version than the message has, only id and type are compared. Handlers
 * always get the log's data.
 */
export const isSameEvent = (message: ReceivedEvent, logged: ReceivedEvent): boolean =>
  message.id === logged.id &&
  message.type === logged.type &&
  (message.dataschema !== logged.dataschema || isDeepStrictEqual(message.data, logged.data));
