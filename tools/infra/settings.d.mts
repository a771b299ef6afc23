export const POSTGRES_VERSION: string;
export const KAFKA_VERSION: string;
export const POSTGRES_SETTINGS: Readonly<Record<string, string>>;
export const INITDB_FLAGS: readonly string[];
export const KAFKA_HEAP: string;
export const KAFKA_SETTINGS: Readonly<Record<string, string>>;

/**
 * The arguments of Node that limit the heap of an app. The live objects of an app need 70 MB;
 * without a limit, V8 collects garbage only when the heap is several times as large.
 */
export function heapArgs(app: string): readonly string[];

/**
 * The environment that limits an app's memory outside the heap: by default, the C library keeps
 * free memory separately for each thread.
 */
export const MALLOC: Readonly<Record<string, string>>;
export const SHORT_RUN: readonly string[];
