import type { Readable } from 'node:stream';
import type { ProviderCallTrace } from '#psp';

/** One request, independent of how it is sent. */
export interface ProviderRequest {
  readonly method: ProviderCallTrace['method'];
  readonly pathTemplate: string;
  /** The value of `{id}` in the path template; only letters, digits and `_`. */
  readonly id?: string;
  /**
   * The id of the object that the request is about, if it is not `id`. It is stored in the call
   * log, and never sent.
   */
  readonly about?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** Content that is forwarded while it arrives, instead of `body`. */
  readonly upload?: UploadContent;
}

/** A body of unknown length, which can be sent only once. */
export interface UploadContent {
  readonly contentType: string;
  readonly body: Readable;
  /**
   * The error with which the content itself aborted the request; null if the content did not abort
   * it. The network then reports a different error, which is only a result of this one.
   */
  readonly brokenBy: () => Error | null;
}
