/**
 * What is shown is read again when the server tells of a change; and so often, in milliseconds,
 * for what it does not tell of: deadlines, calls under way, lags.
 */
export const REFRESH_MS = { entity: 10_000, list: 15_000, overview: 10_000 } as const;
