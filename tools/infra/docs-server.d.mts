/** Serves the files of a built site on a free port of loopback. */
export function serveDocs(
  folder: string,
): Promise<{ readonly url: string; readonly stop: () => unknown }>;
