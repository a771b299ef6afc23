/** Shared by all settings queries, as a change in one view may affect another. */
export const SETTINGS_KEY = ['settings'] as const;
