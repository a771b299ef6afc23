/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null: there is no further page. */
  readonly nextCursor: string | null;
  /** Only of the event feed, where a cursor always follows: false at the end. */
  readonly hasMore?: boolean;
}

/**
 * A list that is read page by page, as far as it is used: `for await (const item of listing)` reads
 * all items. Nothing is requested before.
 */
export class Listing<Item, P extends Page<Item>> implements AsyncIterable<Item> {
  constructor(private readonly read: (cursor: string | undefined) => Promise<P>) {}

  /** The first page, or the page at the `cursor` of the input. */
  page(): Promise<P> {
    return this.read(undefined);
  }

  /** All pages; store `nextCursor` of a page of events to continue later. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: P = await this.read(cursor);
      yield page;
      cursor = page.hasMore === false ? null : page.nextCursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
