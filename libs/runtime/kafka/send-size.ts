import type { OutgoingMessage } from './cloud-event.js';

/**
 * A broker takes 1 MB (`message.max.bytes`) for one partition at once, and all of a send may go to
 * one partition. What is over it is refused however often it is sent, so publishing would stop
 * for good. The rest is for what the protocol puts around each message.
 */
const MAX_SEND_BYTES = 900_000;
const AROUND_MESSAGE_BYTES = 100;

const bytesOf = ({ key, value, headers }: OutgoingMessage): number => {
  let bytes = AROUND_MESSAGE_BYTES + Buffer.byteLength(key) + Buffer.byteLength(value);
  for (const name in headers) bytes += name.length + Buffer.byteLength(headers[name] ?? '') + 4;
  return bytes;
};

/** The messages from the first one on that may be sent together; one at least, if there is one. */
export const sendable = (messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] => {
  let bytes = 0;
  const end = messages.findIndex((message, index) => {
    bytes += bytesOf(message);
    return index > 0 && bytes > MAX_SEND_BYTES;
  });
  return end === -1 ? messages : messages.slice(0, end);
};
