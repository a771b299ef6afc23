import type { Kafka } from 'kafkajs';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import Encoder from 'kafkajs/src/protocol/encoder.js';

/**
 * Reads the ids of topics. The id distinguishes a topic from a later topic of the same name.
 * Brokers return ids only since version 10 of the Metadata response, which kafkajs does not
 * support. So this file sends a request of version 10 through the connections of kafkajs, with the
 * codecs and credentials of kafkajs. For this reason the version of kafkajs is fixed.
 */

interface Broker {
  readonly connectionPool: { send(request: object): Promise<readonly FoundTopic[]> };
}

interface Cluster {
  connect(): Promise<void>;
  refreshMetadata(): Promise<void>;
  findControllerBroker(): Promise<Broker>;
  disconnect(): Promise<void>;
}

interface FoundTopic {
  readonly name: string;
  /** The topic's id, 32 hexadecimal digits; zeros for a missing topic. */
  readonly id: string;
}

const METADATA = 3;
const ID_BYTES = 16;
const NO_ID = Buffer.alloc(ID_BYTES);

const topicOfRequest = (name: string): Encoder =>
  new Encoder().writeBuffer(NO_ID).writeUVarIntString(name).writeUVarIntBytes();

const readNumbers = (decoder: Decoder): void => {
  decoder.readUVarIntArray((one) => one.readInt32());
};

const readPartition = (decoder: Decoder): void => {
  decoder.readInt16();
  for (let field = 0; field < 3; field += 1) decoder.readInt32();
  for (let list = 0; list < 3; list += 1) readNumbers(decoder);
  decoder.readTaggedFields();
};

const readTopic = (decoder: Decoder): FoundTopic => {
  decoder.readInt16();
  const name = decoder.readUVarIntString() ?? '';
  const id = decoder.readBytes(ID_BYTES).toString('hex');
  decoder.readBoolean();
  decoder.readUVarIntArray(readPartition);
  decoder.readInt32();
  decoder.readTaggedFields();
  return { name, id };
};

const readBroker = (decoder: Decoder): void => {
  decoder.readInt32();
  decoder.readUVarIntString();
  decoder.readInt32();
  decoder.readUVarIntString();
  decoder.readTaggedFields();
};

const metadataOf = (topics: readonly string[]): object => ({
  request: {
    apiKey: METADATA,
    apiVersion: 10,
    apiName: 'Metadata',
    // The fields of the request: tagged fields of the header; topics; three flags, which are false:
    // create missing topics, return the rights on the cluster, return the rights on each topic;
    // tagged fields.
    encode: () =>
      Promise.resolve(
        new Encoder()
          .writeUVarIntBytes()
          .writeUVarIntArray(topics.map(topicOfRequest))
          .writeBoolean(false)
          .writeBoolean(false)
          .writeBoolean(false)
          .writeUVarIntBytes(),
      ),
  },
  response: {
    decode: (data: Buffer) => {
      const decoder = new Decoder(data);
      decoder.readTaggedFields();
      decoder.readInt32();
      decoder.readUVarIntArray(readBroker);
      decoder.readUVarIntString();
      decoder.readInt32();
      return Promise.resolve(decoder.readUVarIntArray(readTopic));
    },
    parse: (topics: readonly FoundTopic[]) => Promise.resolve(topics),
  },
});

const clusterOf = (kafka: Kafka): Cluster => {
  const maker = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  if (maker === undefined)
    throw new TypeError('kafkajs has changed: install the version that package.json names');
  const make = (kafka as unknown as Record<symbol, (options: object) => Cluster>)[maker];
  if (make === undefined)
    throw new TypeError('kafkajs has changed: install the version that package.json names');
  return make({ metadataMaxAge: 0, allowAutoTopicCreation: false });
};

/** The ids of the existing topics, by name. */
export const topicIdsOf = async (
  kafka: Kafka,
  topics: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const cluster = clusterOf(kafka);
  await cluster.connect();
  try {
    await cluster.refreshMetadata();
    const broker = await cluster.findControllerBroker();
    const found = await broker.connectionPool.send(metadataOf(topics));
    return new Map(found.filter(({ id }) => !/^0+$/.test(id)).map(({ name, id }) => [name, id]));
  } finally {
    await cluster.disconnect();
  }
};
