import type { PoolClient } from 'pg';

/** The beginning of the application name of each process under test, before its process id. */
const PROCESS = 'chaos-';

/**
 * The URL with which a process under test connects to the database. It contains the process id, so
 * that the triggers below see which process changes a row.
 */
export const urlOfProcess = (url: string, pid: number): string => {
  const named = new URL(url);
  named.searchParams.set('application_name', `${PROCESS}${pid}`);
  return named.href;
};

/**
 * Records changes of jobs and of the relay's cursor outside `commit_steps`: a process that ends,
 * saves or extends a job which another process has claimed; a claim before the earlier claim has
 * expired; and a cursor that moves back, is taken over under an older token, or is moved by a
 * process that has not taken it over. The setting `chaos.commits` is on within `commit_steps`,
 * `chaos.plants` while a conflict is planted, `chaos.sets_back` while the run moves the cursor back.
 *
 * The jobs of provider accounts are left out: any process may make such a job due while it runs.
 */
export const RECORD_ROWS = `
CREATE TABLE chaos.claims (claim uuid PRIMARY KEY, process text NOT NULL);
CREATE TABLE chaos.holders (name text PRIMARY KEY, process text NOT NULL);
CREATE TABLE chaos.unfenced (id text, why text);
CREATE SEQUENCE chaos.moved;

CREATE FUNCTION chaos.are_different(a text, b text) RETURNS boolean LANGUAGE sql AS $$
  SELECT a <> b AND starts_with(a, '${PROCESS}') AND starts_with(b, '${PROCESS}') $$;

CREATE FUNCTION chaos.note_claim() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO chaos.claims
  VALUES (NEW.claim, CASE current_setting('chaos.plants', true) WHEN 'on' THEN 'planted'
                     ELSE current_setting('application_name') END)
      ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER note_claim AFTER INSERT OR UPDATE OF claim ON jobs
   FOR EACH ROW WHEN (NEW.state = 'running') EXECUTE FUNCTION chaos.note_claim();

CREATE FUNCTION chaos.note_end() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  holder text;
BEGIN
  IF current_setting('chaos.commits', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' THEN
    IF NEW.claim IS DISTINCT FROM OLD.claim THEN
      IF OLD.held_until > clock_timestamp() THEN
        INSERT INTO chaos.unfenced
        VALUES (OLD.kind || ' ' || OLD.key, 'was claimed before its earlier claim had expired');
      END IF;
      RETURN NULL;
    END IF;
    IF (NEW.state, NEW.held_until, NEW.progress, NEW.attempts) IS NOT DISTINCT FROM
       (OLD.state, OLD.held_until, OLD.progress, OLD.attempts) THEN RETURN NULL; END IF;
  END IF;
  SELECT c.process INTO holder FROM chaos.claims c WHERE c.claim = OLD.claim;
  IF holder = 'planted' OR chaos.are_different(holder, current_setting('application_name')) THEN
    INSERT INTO chaos.unfenced
    VALUES (OLD.kind || ' ' || OLD.key, 'was changed by a process that had lost its claim');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_end AFTER UPDATE OR DELETE ON jobs
   FOR EACH ROW WHEN (OLD.state = 'running' AND OLD.kind NOT LIKE 'account.%' AND
                      OLD.kind NOT LIKE 'payout.%')
   EXECUTE FUNCTION chaos.note_end();

CREATE FUNCTION chaos.note_takeover() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO chaos.holders AS h
  VALUES (NEW.name, CASE current_setting('chaos.sets_back', true) WHEN 'on' THEN '${PROCESS}run'
                    ELSE current_setting('application_name') END)
      ON CONFLICT (name) DO UPDATE SET process = excluded.process;
  IF TG_OP = 'UPDATE' AND NEW.token < OLD.token THEN
    INSERT INTO chaos.unfenced VALUES (NEW.name, 'its cursor was taken over under an older token');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_takeover AFTER INSERT OR UPDATE OF token ON log_cursors
   FOR EACH ROW WHEN (NEW.name = 'relay') EXECUTE FUNCTION chaos.note_takeover();

CREATE FUNCTION chaos.note_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF current_setting('chaos.sets_back', true) = 'on' THEN RETURN NULL; END IF;
  PERFORM nextval('chaos.moved');
  IF (NEW.epoch, NEW.transaction_id, NEW.position) < (OLD.epoch, OLD.transaction_id, OLD.position)
  THEN
    INSERT INTO chaos.unfenced VALUES (NEW.name, 'its cursor was moved back');
  END IF;
  INSERT INTO chaos.unfenced
  SELECT NEW.name, 'its cursor was moved by a process that had not taken it over'
    FROM chaos.holders h
   WHERE h.name = NEW.name AND chaos.are_different(h.process, current_setting('application_name'));
  RETURN NULL;
END $$;
CREATE TRIGGER note_move AFTER UPDATE OF position ON log_cursors
   FOR EACH ROW WHEN (NEW.name = 'relay') EXECUTE FUNCTION chaos.note_move()`;

/** Changes of jobs and of the relay's cursor outside `commit_steps`. */
export interface RowFacts {
  /** How many claims of jobs were recorded, and how many of them by a process with a known id. */
  readonly claims: number;
  readonly named: number;
  /** How many moves of the relay's cursor were recorded. */
  readonly moves: number;
  /** Changes by a process that had lost its claim or its lease. */
  readonly unfenced: readonly { readonly id: string; readonly why: string }[];
}

export const rowFacts = async (on: Pick<PoolClient, 'query'>): Promise<RowFacts> => {
  const { rows: unfenced } = await on.query<RowFacts['unfenced'][number]>(
    'SELECT DISTINCT id, why FROM chaos.unfenced',
  );
  const { rows } = await on.query<Omit<RowFacts, 'unfenced'>>(
    `SELECT count(*)::int AS claims,
            count(*) FILTER (WHERE starts_with(process, '${PROCESS}'))::int AS named,
            (SELECT CASE WHEN is_called THEN last_value ELSE 0 END::int FROM chaos.moved) AS moves
       FROM chaos.claims`,
  );
  return { claims: 0, named: 0, moves: 0, ...rows[0], unfenced };
};
