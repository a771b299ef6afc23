import { assert } from '#kernel';
import pg from 'pg';

interface Column {
  readonly name: string;
  readonly type: string;
}

/** A name of a result column that no table has. */
const NEEDLE = 'the needle';

/**
 * The names of all table columns that contain each needle, as text or as the bytes of the text.
 * Each table is read once for all needles.
 */
export const columnsWith = async (
  url: string,
  needles: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ table: string; columns: readonly Column[] }>(
      `SELECT table_name AS table,
              json_agg(json_build_object('name', column_name, 'type', data_type)
                       ORDER BY column_name) AS columns
         FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1 ORDER BY 1`,
    );
    assert(tables.flatMap(({ columns }) => columns).length > 20, 'the database has tables');
    const found = new Map<string, string[]>(needles.map((needle) => [needle, []]));
    for (const { table, columns } of tables) {
      const holding = columns.map(({ name, type }) => {
        const text = type === 'bytea' ? `encode(t.${name}, 'escape')` : `t.${name}::text`;
        return `bool_or(position(needle IN ${text}) > 0) AS "${name}"`;
      });
      const { rows } = await client.query<Readonly<Record<string, string | boolean | null>>>(
        `SELECT needle AS "${NEEDLE}", ${holding.join()}
           FROM ${table} t CROSS JOIN unnest($1::text[]) AS needle GROUP BY needle`,
        [needles],
      );
      for (const row of rows) {
        const holders = columns.filter(({ name }) => row[name] === true);
        found.get(String(row[NEEDLE]))?.push(...holders.map(({ name }) => `${table}.${name}`));
      }
    }
    return found;
  } finally {
    await client.end();
  }
};
