/** The data folder of a server, whether or not it exists yet. */
export function postgresData(name: string): string;
