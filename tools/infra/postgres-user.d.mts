/** Where a server's data is, or would be. */
export function postgresData(name: string): string;
