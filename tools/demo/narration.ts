import { followEvents } from './event-stream.js';
import { lineOf } from './timeline.js';

/** The time limit of each step of a story. */
export const WAIT = { timeoutMs: 30_000, everyMs: 100 };

type Paint = (text: string) => string;

export interface StoryParts {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly merchantId: string;
  readonly sandboxUrl: string;
  readonly databaseUrl: string;
  /** The API key of the merchant's account at the sandbox. */
  readonly sandboxKey: string;
  /** The partner's key at the sandbox, for companies in mode test. */
  readonly partnerKey: string;
  /** The URL of the fulfilment example, which is another service. */
  readonly fulfilmentUrl: string;
  readonly say: (line?: string) => void;
  readonly paint: { readonly dim: Paint; readonly green: Paint };
}

/**
 * Prints an action that causes no event, such as an action of the payer or an advance of the clock.
 */
export const noteIn =
  ({ say, paint }: StoryParts) =>
  (text: string): void =>
    say(paint.dim(`  ${''.padEnd(14)}  ${text}`));

export interface Narration {
  readonly path: string;
  /** The instant (ISO 8601) from which events are printed. */
  readonly since?: string;
}

/**
 * Prints the events of a stream while `walk` runs. `walk` receives the types of the printed events,
 * and returns the closing line. If `walk` fails, prints its error. Returns whether `walk`
 * succeeded.
 */
export const narrateWhile = async (
  parts: StoryParts,
  { path, since = '' }: Narration,
  walk: (seen: ReadonlySet<string>) => Promise<string>,
): Promise<boolean> => {
  const { apiUrl, apiKey, say, paint } = parts;
  const seen = new Set<string>();
  const end = new AbortController();
  const headers = { authorization: `Bearer ${apiKey}` };
  const stream = followEvents(
    `${apiUrl}${path}`,
    headers,
    (entry) => {
      if (entry.at < since) return;
      seen.add(entry.type);
      say(lineOf(entry, paint.dim));
    },
    end.signal,
  );
  try {
    const ending = await Promise.race([
      walk(seen),
      stream.then(() =>
        Promise.reject(
          new Error('the event stream ended before the story had ended: see .state/logs'),
        ),
      ),
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
