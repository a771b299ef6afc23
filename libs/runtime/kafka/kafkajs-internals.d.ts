/**
 * Internal modules of kafkajs, which has no types for them. Load them by `import`, not by
 * `require`: the programs of specs are bundled, and `require` would load a second copy of kafkajs
 * beside the copy in the bundle.
 */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  /** The request queue of a connection. */
  // oxlint-disable-next-line import/no-default-export -- as the library does
  export default class RequestQueue {
    readonly pending: readonly unknown[];
    scheduleCheckPendingRequests(): void;
  }
}

declare module 'kafkajs/src/protocol/encoder.js' {
  // oxlint-disable-next-line import/no-default-export -- as the library does
  export default class Encoder {
    static sizeOfVarIntBytes(value: Buffer | string | null): number;
    readonly buffer: Buffer;
    writeBufferInternal(value: Buffer): void;
    writeVarIntArray(items: readonly Encoder[]): this;
    writeVarIntBytes(value: Buffer | string | null): this;
    writeBoolean(value: boolean): this;
    writeBuffer(value: Buffer): this;
    writeUVarIntArray(items: readonly Encoder[]): this;
    writeUVarIntBytes(): this;
    writeUVarIntString(text: string): this;
  }
}

declare module 'kafkajs/src/protocol/recordBatch/record/v0/index.js' {
  import type Encoder from 'kafkajs/src/protocol/encoder.js';
  import type { Message } from 'kafkajs';

  // oxlint-disable-next-line import/no-default-export -- as the library does
  export default function encodeRecord(
    record: Message & { readonly offsetDelta: number; readonly timestampDelta: number },
  ): Encoder;
}

declare module 'kafkajs/src/protocol/decoder.js' {
  // oxlint-disable-next-line import/no-default-export -- as the library does
  export default class Decoder {
    constructor(data: Buffer);
    readBoolean(): boolean;
    readBytes(length: number): Buffer;
    readInt16(): number;
    readInt32(): number;
    readTaggedFields(): void;
    readUVarIntArray<T>(read: (decoder: Decoder) => T): T[];
    readUVarIntString(): string | null;
  }
}
