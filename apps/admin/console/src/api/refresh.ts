/** How often what is not pushed is read again, in milliseconds. */
export const REFRESH_MS = { entity: 3_000, list: 5_000, overview: 5_000, settings: 60_000 } as const;
