import type { RecordedEvent } from '#log';
import { encodeCloudEvent } from './cloud-event.js';

/** CloudEvents' JSON format. */
export const STRUCTURED_MEDIA_TYPE = 'application/cloudevents+json';

/**
 * The attributes of a Kafka message, which are its headers without the prefix `ce_`, and its data.
 */
export interface StructuredCloudEvent {
  readonly specversion: string;
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject: string;
  readonly time: string;
  readonly sequence: string;
  readonly dataschema: string;
  readonly datacontenttype: string;
  readonly correlationid: string;
  readonly causationid: string;
  readonly actor: string;
  readonly platformid?: string;
  readonly merchantid?: string;
  readonly traceparent?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * An event in the JSON format of CloudEvents, with the attributes and the data of its Kafka
 * message.
 */
export const structuredCloudEvent = (event: RecordedEvent): StructuredCloudEvent => {
  const { headers, value } = encodeCloudEvent(event, { prefix: '' });
  const { 'content-type': datacontenttype, ...attributes } = headers;
  const named = Object.entries(attributes).map(([name, text]) => [name.replace(/^ce_/, ''), text]);
  const data: unknown = JSON.parse(value);
  // The attributes are derived from the message, so that the mapping is defined only once.
  return { ...Object.fromEntries(named), datacontenttype, data } as StructuredCloudEvent;
};
