/** Stores in a folder that the demo's story was played, with the id of its order. */
export function keptStory(folder: string): {
  /**
   * Whether the story was played and its order still exists. (The order is missing if its database
   * was deleted.)
   */
  hasRun(api: { readonly apiUrl: string; readonly apiKey: string }): Promise<boolean>;
  keep(orderId: string): void;
};
