/** Of all that the settings show: a change of one may be seen in another. */
export const SETTINGS_KEY = ['settings'] as const;
