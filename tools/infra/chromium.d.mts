/** The path of Chromium: CHROMIUM_PATH first, then the system's; undefined where there is none. */
export function chromiumPath(): string | undefined;
