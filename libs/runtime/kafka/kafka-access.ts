import kafkajs, { type AclOperationTypes, type AclResourceTypes } from 'kafkajs';
import { STREAM_TYPES, topicOf, type TopicSettings } from './topics.js';

/** What a user of the brokers may do. */
export interface AccessRule {
  readonly principal: string;
  readonly resourceType: AclResourceTypes;
  readonly resourceName: string;
  readonly operation: AclOperationTypes;
}

const { AclOperationTypes: may, AclResourceTypes: on } = kafkajs;

/** The relay makes its topics, looks at their settings, and writes. It reads none. */
const OF_WRITER = [may.CREATE, may.DESCRIBE, may.DESCRIBE_CONFIGS, may.WRITE];
const OF_READER = [may.DESCRIBE, may.READ];

/** Who may do what with our topics: the worker alone writes them, other services read them. */
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
        operation,
      })),
    );
  return [
    ...rulesOf(writer, OF_WRITER),
    ...rulesOf(reader, OF_READER),
    {
      principal: `User:${reader}`,
      resourceType: on.GROUP,
      resourceName: '*',
      operation: may.READ,
    },
  ];
};
