/** The system's Chromium, `CHROMIUM_PATH` first; undefined where there is none. */
export function chromiumPath(): string | undefined;
