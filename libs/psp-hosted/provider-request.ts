import type { Readable } from 'node:stream';
import type { ProviderCallTrace } from '#psp';

/** One call, apart from who makes it. */
export interface ProviderRequest {
  readonly method: ProviderCallTrace['method'];
  readonly pathTemplate: string;
  /** Fills `{id}` in the template; letters, digits and `_` only. */
  readonly id?: string;
  /** What the call is about, where `id` is not it: for the log of calls, and never sent. */
  readonly about?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** Instead of `body`: content that is passed on while it arrives. */
  readonly upload?: UploadContent;
}

/** A body of unknown length, sent once. */
export interface UploadContent {
  readonly contentType: string;
  readonly body: Readable;
  /** Why the content itself broke off, whatever the network then made of it; else null. */
  readonly brokenBy: () => Error | null;
}
