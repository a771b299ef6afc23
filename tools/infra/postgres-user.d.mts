/** The path of a server's data folder, which may not exist yet. */
export function postgresData(name: string): string;
