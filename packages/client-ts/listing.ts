import { ConnectionFailed } from './connection-failed.js';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; null if there is no further page. */
  readonly nextCursor: string | null;
  /**
   * Whether there is a further page. Only pages of the event feed have this field, because even the
   * last page of the feed has a `nextCursor`.
   */
  readonly hasMore?: boolean;
}

const failed = (reason: string) => new ConnectionFailed(null, new TypeError(reason));

/**
 * A list that is read page by page, and only as far as it is used: `for await (const item of
 * listing)` reads all items. The first page is requested when the reading begins.
 */
export class Listing<Item, P extends Page<Item>> implements AsyncIterable<Item> {
  constructor(private readonly read: (cursor: string | undefined) => Promise<P>) {}

  /** The first page, or the page at the `cursor` of the input. */
  page(): Promise<P> {
    return this.pageAt(undefined);
  }

  /** All pages. To continue later, store the `nextCursor` of a page of events. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let cursor: string | undefined;
    for (;;) {
      const page = await this.pageAt(cursor);
      yield page;
      if (page.nextCursor === null || page.hasMore === false) return;
      cursor = page.nextCursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  private async pageAt(cursor: string | undefined): Promise<P> {
    const page: Partial<P> | null = await this.read(cursor);
    if (page?.items === undefined || page.nextCursor === undefined) {
      throw failed('the response is not a page of a list');
    }
    return page as P;
  }
}
