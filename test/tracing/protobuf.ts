/** The fields of a message of the wire format of Protocol Buffers: number → values in order. */
type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/** Reads a message. Numbers of every kind are returned as unsigned integers of 64 bits. */
export const fieldsOf = (message: Buffer): Fields => {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const fixed = (bytes: 4 | 8): bigint => {
    at += bytes;
    return bytes === 8 ? message.readBigUInt64LE(at - 8) : BigInt(message.readUInt32LE(at - 4));
  };
  const content = (): Buffer => {
    const length = Number(varint());
    at += length;
    return message.subarray(at - length, at);
  };
  const readers: Readonly<Record<number, () => Buffer | bigint>> = {
    0: varint,
    1: () => fixed(8),
    2: content,
    5: () => fixed(4),
  };
  while (at < message.length) {
    const tag = Number(varint());
    const read = readers[tag & 7];
    if (read === undefined) throw new Error(`wire type ${tag & 7} is unknown`);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), read()]);
  }
  return fields;
};

export const messagesOf = (fields: Fields, number: number): readonly Fields[] =>
  (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));

export const bytesOf = (fields: Fields, number: number): Buffer =>
  (fields.get(number)?.at(-1) as Buffer | undefined) ?? Buffer.alloc(0);

export const textOf = (fields: Fields, number: number): string =>
  bytesOf(fields, number).toString('utf8');

export const numberOf = (fields: Fields, number: number): bigint =>
  (fields.get(number)?.at(-1) as bigint | undefined) ?? 0n;

export type { Fields };
