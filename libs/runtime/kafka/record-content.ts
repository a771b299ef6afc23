import Encoder from 'kafkajs/src/protocol/encoder.js';

/**
 * The encoded contents of records, which kafkajs writes unchanged. kafkajs 2.2.4 encodes each
 * header of a message in a separate buffer of 512 bytes, which takes three times as long as to write
 * value and headers into one buffer.
 */
const encoded = new WeakSet<object>();
/** The encoders that have written such contents, so they must not write the headers again. */
const complete = new WeakSet<Encoder>();

/** The maximum number of bytes of a length, which a record stores as a varint. */
const MAX_LENGTH_BYTES = 5;

/** Writes lengths and texts of a record one after another. */
class RecordWriter {
  private offset = 0;

  constructor(private readonly buffer: Buffer) {}

  get written(): Buffer {
    return this.buffer.subarray(0, this.offset);
  }

  /** Writes a length, or a count, as a zigzag varint. */
  length(value: number): void {
    let rest = value * 2;
    while (rest > 0x7f) {
      this.buffer[this.offset] = (rest & 0x7f) | 0x80;
      this.offset += 1;
      rest >>>= 7;
    }
    this.buffer[this.offset] = rest;
    this.offset += 1;
  }

  text(value: string): void {
    this.length(Buffer.byteLength(value));
    this.offset += this.buffer.write(value, this.offset);
  }
}

/**
 * The value and headers of a message, encoded as Kafka's record format (version 2) requires. Send it
 * as the value of a message without headers.
 */
export const recordContent = (value: string, headers: Readonly<Record<string, string>>): Buffer => {
  const entries = Object.entries(headers);
  // A UTF-16 unit takes at most three bytes in UTF-8.
  const characters = entries.reduce((sum, [name, text]) => sum + name.length + text.length, 0);
  const atMost = 3 * (value.length + characters) + MAX_LENGTH_BYTES * (2 * entries.length + 2);
  const writer = new RecordWriter(Buffer.allocUnsafe(atMost));
  writer.text(value);
  writer.length(entries.length);
  for (const [name, text] of entries) {
    writer.text(name);
    writer.text(text);
  }
  const { written } = writer;
  encoded.add(written);
  return written;
};

const { prototype } = Encoder;
const { sizeOfVarIntBytes } = Encoder;
const { writeVarIntBytes, writeVarIntArray } = prototype;

/** kafkajs adds one byte for the number of headers, which is already in the content. */
const HEADER_COUNT_BYTES = 1;

Encoder.sizeOfVarIntBytes = (value) =>
  Buffer.isBuffer(value) && encoded.has(value)
    ? value.length - HEADER_COUNT_BYTES
    : sizeOfVarIntBytes.call(Encoder, value);

prototype.writeVarIntBytes = function writeContent(this: Encoder, value): Encoder {
  if (!Buffer.isBuffer(value) || !encoded.has(value)) return writeVarIntBytes.call(this, value);
  complete.add(this);
  this.writeBufferInternal(value);
  return this;
};

prototype.writeVarIntArray = function writeHeaders(this: Encoder, headers): Encoder {
  return complete.has(this) ? this : writeVarIntArray.call(this, headers);
};
