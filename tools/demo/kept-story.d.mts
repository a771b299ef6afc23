/** Remembers in a folder that the demo's story has run, by the id of its order. */
export function keptStory(folder: string): {
  /** Whether the story has run, and its order still exists: its database may have been deleted. */
  hasRun(api: { readonly apiUrl: string; readonly apiKey: string }): Promise<boolean>;
  keep(orderId: string): void;
};
