import { followEvents } from './event-stream.js';
import { lineOf } from './timeline.js';

/** How long anything that is told of may take. */
export const WAIT = { timeoutMs: 30_000, everyMs: 100 };

type Paint = (text: string) => string;

export interface StoryParts {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly merchantId: string;
  readonly sandboxUrl: string;
  /** The example of another service. */
  readonly fulfilmentUrl: string;
  readonly say: (line?: string) => void;
  readonly paint: { readonly dim: Paint; readonly green: Paint };
}

/** What somebody does who is in no timeline, beside what happens. */
export const noteIn =
  ({ say, paint }: StoryParts) =>
  (text: string): void =>
    say(paint.dim(`  ${''.padEnd(14)}  ${text}`));

export interface Telling {
  /** The api's stream of events. */
  readonly path: string;
  /** What happened before is not told; an ISO instant. */
  readonly since?: string;
}

/**
 * Tells what happens while `walk` goes its way. `walk` is given the types that were told, and answers
 * what is to be said at its good end; what it throws is told as well. Whether it came to its end.
 */
export const tellWhile = async (
  parts: StoryParts,
  { path, since = '' }: Telling,
  walk: (told: ReadonlySet<string>) => Promise<string>,
): Promise<boolean> => {
  const { apiUrl, apiKey, say, paint } = parts;
  const told = new Set<string>();
  const end = new AbortController();
  const headers = { authorization: `Bearer ${apiKey}` };
  const telling = followEvents(
    `${apiUrl}${path}`,
    headers,
    (entry) => {
      if (entry.at < since) return;
      told.add(entry.type);
      say(lineOf(entry, paint.dim));
    },
    end.signal,
  );
  try {
    const ending = await Promise.race([
      walk(told),
      telling.then(() => Promise.reject(new Error('the event stream ended'))),
    ]);
    say(`\n  ${paint.green('✓')} ${ending}`);
    return true;
  } catch (error) {
    say(`\n  ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    end.abort();
  }
};
