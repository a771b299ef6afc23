/** @type {typeof import('./databases.mjs').onServer} */
export const onServer = async (url, work, { connectTimeoutMs = 0 } = {}) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // This handler prevents the end of this process if a connection breaks between two queries. The
  // next query then rejects.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
};

/** @param {string} url @param {string[]} names */
export const createMissing = (url, names) =>
  onServer(url, async (client) => {
    for (const name of names) {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
        name,
      ]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    }
  });

/** @param {string} url @param {string} name */
export const dropDatabase = (url, name) =>
  onServer(url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
  });
