import type { KafkaMessage } from 'kafkajs';
import type { RecordedEvent } from '#log';
import { assert, type StreamType } from '#kernel';

/** An event in the form that the relay publishes. */
export type PublishedEvent = Omit<RecordedEvent, 'cursor' | 'recordedAt'>;

/** Decodes a message of our relay without the validations that packages/subscriber makes. */
export const publishedEvent = ({
  value,
  headers,
}: Pick<KafkaMessage, 'value' | 'headers'>): PublishedEvent => {
  const attribute = (name: string): string => {
    const text = headers?.[`ce_${name}`]?.toString();
    assert(text !== undefined, `the message must have the header ce_${name}`);
    return text;
  };
  const optional = (name: string): string | undefined => headers?.[`ce_${name}`]?.toString();
  const [platformId, merchantId] = [optional('platformid'), optional('merchantid')];
  const last = (text: string, separator: string): string => text.split(separator).at(-1) ?? '';
  return {
    streamType: last(attribute('source'), '/') as StreamType,
    streamId: attribute('subject'),
    version: Number(attribute('sequence')),
    eventId: attribute('id'),
    type: last(attribute('type'), '.'),
    schemaVersion: Number(last(attribute('dataschema'), ':')),
    data: JSON.parse(value?.toString() ?? '') as PublishedEvent['data'],
    metadata: {
      correlationId: attribute('correlationid'),
      causationId: attribute('causationid'),
      actor: attribute('actor'),
      traceparent: optional('traceparent') ?? null,
      ...(platformId !== undefined && { platformId }),
      ...(merchantId !== undefined && { merchantId }),
    },
  };
};
