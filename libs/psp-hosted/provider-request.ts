import type { Readable } from 'node:stream';
import type { ProviderCallTrace } from '#psp';

/** One call, independent of its transport. */
export interface ProviderRequest {
  readonly method: ProviderCallTrace['method'];
  readonly pathTemplate: string;
  /** Fills `{id}` in the template; letters, digits and `_` only. */
  readonly id?: string;
  /** The object of the call, where `id` is not it: for the call log, and never sent. */
  readonly about?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** Instead of `body`: content that is forwarded while it arrives. */
  readonly upload?: UploadContent;
}

/** A body of unknown length, sent once. */
export interface UploadContent {
  readonly contentType: string;
  readonly body: Readable;
  /** Why the content itself was aborted, whatever the network reported then; else null. */
  readonly brokenBy: () => Error | null;
}
