export const POSTGRES_VERSION: string;
export const KAFKA_VERSION: string;
export const POSTGRES_SETTINGS: Readonly<Record<string, string>>;
export const INITDB_FLAGS: readonly string[];
export const KAFKA_HEAP: string;
export const KAFKA_SETTINGS: Readonly<Record<string, string>>;
