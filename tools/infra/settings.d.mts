export const POSTGRES_VERSION: string;
export const KAFKA_VERSION: string;
export const POSTGRES_SETTINGS: Readonly<Record<string, string>>;
export const INITDB_FLAGS: readonly string[];
export const KAFKA_HEAP: string;
export const KAFKA_SETTINGS: Readonly<Record<string, string>>;

/**
 * The arguments of Node that limit the heap of an app. What an app keeps needs 70 MB; without a limit
 * V8 lets garbage grow to several times that before it collects it.
 */
export function heapArgs(app: string): readonly string[];
