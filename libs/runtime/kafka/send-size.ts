import type { OutgoingMessage } from './cloud-event.js';

/**
 * A broker accepts at most 1 MB (`message.max.bytes`) for one partition at once, and a whole send
 * may go to one partition. A larger send is rejected however often it is repeated, which would stop
 * publishing for good. The difference is for the protocol's overhead of each message.
 */
const MAX_SEND_BYTES = 900_000;
const AROUND_MESSAGE_BYTES = 100;

const bytesOf = ({ key, value, headers }: OutgoingMessage): number => {
  let bytes = AROUND_MESSAGE_BYTES + Buffer.byteLength(key) + Buffer.byteLength(value);
  for (const name in headers) bytes += name.length + Buffer.byteLength(headers[name] ?? '') + 4;
  return bytes;
};

/**
 * The messages, starting with the first, that may be sent together; at least one if there is one.
 */
export const sendable = (messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] => {
  let bytes = 0;
  const end = messages.findIndex((message, index) => {
    bytes += bytesOf(message);
    return index > 0 && bytes > MAX_SEND_BYTES;
  });
  return end === -1 ? messages : messages.slice(0, end);
};
