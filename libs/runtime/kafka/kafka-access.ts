import kafkajs, {
  type AclOperationTypes,
  type AclResourceTypes,
  type ResourcePatternTypes,
} from 'kafkajs';
import { STREAM_TYPES, topicOf, type TopicSettings } from './topics.js';

/** The access rights of a Kafka user. */
export interface AccessRule {
  readonly principal: string;
  readonly resourceType: AclResourceTypes;
  readonly resourceName: string;
  readonly resourcePatternType: ResourcePatternTypes;
  readonly operation: AclOperationTypes;
}

const { AclOperationTypes: may, AclResourceTypes: on, ResourcePatternTypes: named } = kafkajs;

/**
 * The rights of the relay: it creates topics, reads the settings of topics, and writes messages. It
 * reads no messages.
 */
const OF_WRITER = [may.CREATE, may.DESCRIBE, may.DESCRIBE_CONFIGS, may.WRITE];
const OF_READER = [may.DESCRIBE, may.READ];

/**
 * The access rights on our topics: only the worker writes, and other services read. The readers of
 * topics with a prefix use consumer groups with the same prefix, so that they cannot disturb the
 * groups of other readers.
 */
export const kafkaAccess = (
  { writer, reader }: { readonly writer: string; readonly reader: string },
  topics: Pick<TopicSettings, 'prefix'>,
): readonly AccessRule[] => {
  const rulesOf = (user: string, operations: readonly AclOperationTypes[]): AccessRule[] =>
    STREAM_TYPES.flatMap((streamType) =>
      operations.map((operation) => ({
        principal: `User:${user}`,
        resourceType: on.TOPIC,
        resourceName: topicOf(streamType, topics),
        resourcePatternType: named.LITERAL,
        operation,
      })),
    );
  return [
    ...rulesOf(writer, OF_WRITER),
    ...rulesOf(reader, OF_READER),
    {
      principal: `User:${reader}`,
      resourceType: on.GROUP,
      ...(topics.prefix === ''
        ? { resourceName: '*', resourcePatternType: named.LITERAL }
        : { resourceName: topics.prefix, resourcePatternType: named.PREFIXED }),
      operation: may.READ,
    },
  ];
};
