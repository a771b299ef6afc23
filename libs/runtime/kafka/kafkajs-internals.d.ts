/**
 * Internal modules of kafkajs, for which it has no types. Import them by `import`: the programs of
 * specs are bundled, and what `require` loads beside a bundle is another copy than the one that the
 * bundled kafkajs uses.
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
    writeBoolean(value: boolean): this;
    writeBuffer(value: Buffer): this;
    writeUVarIntArray(items: readonly Encoder[]): this;
    writeUVarIntBytes(): this;
    writeUVarIntString(text: string): this;
  }
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
