import type { Readable } from 'node:stream';
import type { ProviderCallTrace } from '#psp';

/** One call, independent of its transport. */
export interface ProviderRequest {
  readonly method: ProviderCallTrace['method'];
  readonly pathTemplate: string;
  /** The value of `{id}` in the path template; only letters, digits and `_`. */
  readonly id?: string;
  /** The object of the request if it is not `id`: for the call log, and never sent. */
  readonly about?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** Content that is forwarded while it is received, instead of `body`. */
  readonly upload?: UploadContent;
}

/** A body of unknown length, sent once. */
export interface UploadContent {
  readonly contentType: string;
  readonly body: Readable;
  /** Why the content itself was aborted, whatever the network then reported; null if it was not. */
  readonly brokenBy: () => Error | null;
}
