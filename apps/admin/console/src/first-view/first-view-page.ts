const YEAR_SECONDS = 31_536_000;

/**
 * Stores a preference in a cookie, so that the server renders the first view in the same language
 * and colours as the console.
 */
export const rememberPreference = (name: 'language' | 'scheme', value: string): void => {
  document.cookie = `console-${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
};

/** Removes the server's first view, which hides the console until the console has something to show. */
export const endFirstView = (): void => document.getElementById('first-view')?.remove();
