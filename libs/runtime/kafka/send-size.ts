import type { OutgoingMessage } from './cloud-event.js';

/**
 * The maximum size of a send. A broker accepts 1 MB (`message.max.bytes`) for a partition at a
 * time, and all messages of a send may belong to one partition. A larger send would be rejected at
 * each attempt, and nothing would be published any more. The difference from 1 MB is left for the
 * protocol's overhead per message.
 */
const MAX_SEND_BYTES = 900_000;
const AROUND_MESSAGE_BYTES = 100;

const bytesOf = ({ key, value, headers }: OutgoingMessage): number => {
  let bytes = AROUND_MESSAGE_BYTES + Buffer.byteLength(key) + Buffer.byteLength(value);
  for (const name in headers) bytes += name.length + Buffer.byteLength(headers[name] ?? '') + 4;
  return bytes;
};

/**
 * The first messages that may be sent together: as many as fit into a send, but at least one
 * message.
 */
export const sendable = (messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] => {
  let bytes = 0;
  const end = messages.findIndex((message, index) => {
    bytes += bytesOf(message);
    return index > 0 && bytes > MAX_SEND_BYTES;
  });
  return end === -1 ? messages : messages.slice(0, end);
};
