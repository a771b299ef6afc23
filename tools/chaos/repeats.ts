import { onServer } from '../infra/databases.mjs';

/** An event that a subscriber handled although it had handled the stream's version before. */
export interface Repeat {
  readonly streamId: string;
  /** The last version that the subscriber had handled. */
  readonly version: number;
  /** The version that it handled again. */
  readonly handled: number;
}

/**
 * Records each time the subscriber stores that it has handled a version that it had handled before.
 * Handling an event again changes nothing in the tables of the fulfilment example, so they do not
 * show the repeat. A row whose version stays the same while its block changes is not recorded: its
 * stream was blocked or released.
 */
const RECORD = `
CREATE TABLE chaos_repeats (stream_id text, version integer, handled integer);
CREATE FUNCTION chaos_note_repeat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos_repeats VALUES (NEW.stream_id, OLD.version, NEW.version);
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_note_repeat AFTER UPDATE OF block ON subscriber_streams
   FOR EACH ROW WHEN (NEW.version < OLD.version OR
                      NEW.version = OLD.version AND NEW.block::text IS NOT DISTINCT FROM OLD.block::text)
   EXECUTE FUNCTION chaos_note_repeat()`;

/** Reads the repeats as rows of `Repeat`. */
export const REPEATS = 'SELECT stream_id AS "streamId", version, handled FROM chaos_repeats';

/** Records all repeats from now on; `url` is the URL of the subscriber's database. */
export const recordRepeats = (url: string): Promise<void> =>
  onServer(url, async (client) => {
    await client.query(RECORD);
  });
