/**
 * The query key shared by all settings queries, because a change in one view may affect another.
 */
export const SETTINGS_KEY = ['settings'] as const;
