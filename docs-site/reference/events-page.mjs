import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { slugOf } from '../../tools/infra/links.mjs';
import { ROOT } from '../../tools/infra/paths.mjs';
import { addressOf } from './documents.mjs';
import { escaped, exampleOf, fieldList, line } from './schemas.mjs';

/**
 * @typedef {{ version: number, schema: Record<string, any> }} Version
 * @typedef {{ name: string, description: string, versions: readonly Version[] }} EventType
 * @typedef {{ topic: string, kind: string, title: string, slug: string, description: string,
 *   events: readonly EventType[] }} Stream
 */

const FOLDER = join(ROOT, 'docs', 'generated');
const TITLES = {
  order: 'Orders',
  payment: 'Payments',
  payout: 'Payouts',
  merchant: 'Merchants',
  account: 'Provider accounts',
  webhook_endpoint: 'Webhook endpoints',
};

const asyncApi = () => parse(readFileSync(join(FOLDER, 'asyncapi.yaml'), 'utf8'));

/** @param {string} reference to a JSON schema, such as `./schemas/OrderPaid.v1.json` @returns {Version} */
const versionOf = (reference) => ({
  version: Number(/\.v(\d+)\.json$/.exec(reference)?.[1]),
  schema: JSON.parse(readFileSync(join(FOLDER, reference), 'utf8')),
});

/**
 * The event types of a topic, each with its schema versions from the newest to the oldest.
 * @returns {EventType[]}
 */
const typesOf = (/** @type {Record<string, any>} */ messages) => {
  /** @type {Map<string, Version[]>} */
  const types = new Map();
  for (const { payload } of Object.values(messages)) {
    const one = versionOf(payload.$ref);
    types.set(one.schema.title, [one, ...(types.get(one.schema.title) ?? [])]);
  }
  return [...types].map(([name, versions]) => ({
    name,
    versions: versions.toSorted((a, b) => b.version - a.version),
    description: versions[0]?.schema.description ?? '',
  }));
};

/**
 * The kinds of event streams, each with its topic, from the AsyncAPI document.
 * @returns {Stream[]}
 */
export const eventStreams = () =>
  Object.entries(asyncApi().channels).map(([topic, { description, messages }]) => {
    const [first] = Object.values(messages);
    const kind = first.headers.properties.ce_source.const.split('/').at(-1);
    const title = TITLES[kind] ?? kind;
    return { topic, kind, title, slug: slugOf(title), description, events: typesOf(messages) };
  });

const HEADERS_ONLY = new Set(['content-type']);

/** The fields of an event besides its data, with the names that they have in CloudEvents JSON. */
const envelope = () => {
  const { properties, required } = asyncApi().components.messageTraits.cloudEvent.headers;
  return Object.entries(properties)
    .filter(([name]) => !HEADERS_ONLY.has(name))
    .map(([name, { description, format, type = 'text' }]) =>
      line(name.replace('ce_', ''), format ?? type, required.includes(name), description),
    );
};

const contents = (/** @type {Stream} */ { title, slug, topic, events }) => {
  const rows = events.map(({ name, description }) => {
    const link = `${addressOf('events', slug)}#${slugOf(name)}`;
    return `<li><a href="${link}"><code>${name}</code><span>${escaped(description)}</span></a></li>`;
  });
  return `## ${title}\n\nTopic \`${topic}\`\n\n<ul class="routes events">\n${rows.join('\n')}\n</ul>`;
};

/** The overview page of the events reference: the delivery of events, and all event types. */
export const eventsOverview = () =>
  [
    '# Events',
    'Everything that happens to orders, payments, payouts, merchants and provider accounts is an event. ' +
      'Webhooks, `GET /v1/events`, its stream of server-sent events and Kafka deliver the same events as ' +
      '[CloudEvents 1.0](https://cloudevents.io): at least once, the events of one subject in order. ' +
      'Types and fields are only added: ignore what you do not know.',
    ...eventStreams().map(contents),
    '## The fields around the data',
    'In JSON the envelope has these fields beside `data`; on Kafka they are headers that begin with `ce_`. ' +
      '`type` is `payment-orchestrator.` followed by the event type.',
    envelope().join('\n'),
  ].join('\n\n');

const example = (/** @type {Record<string, any>} */ schema) =>
  `\`\`\`json\n${JSON.stringify(exampleOf(schema, schema), null, 2)}\n\`\`\``;

const former = (/** @type {readonly Version[]} */ versions) =>
  versions.map(
    ({ version, schema }) =>
      `<details><summary>Version ${version}, in events that an earlier release recorded</summary>\n\n` +
      `${fieldList(schema, schema).join('\n')}\n\n</details>`,
  );

const typePart = (/** @type {EventType} */ { name, description, versions: [newest, ...older] }) =>
  [
    `## ${name}`,
    '<div class="operation with-samples"><div>',
    escaped(description),
    ...(newest === undefined ? [] : fieldList(newest.schema, newest.schema))
      .join('\n')
      .split('\n\n'),
    ...former(older),
    '</div><div class="samples">',
    newest === undefined ? '' : `**Data, version ${newest.version}**\n\n${example(newest.schema)}`,
    '</div></div>',
  ].join('\n\n');

/** The page of one kind of event stream, with every event and the fields of its data. */
export const eventStreamPage = (/** @type {Stream} */ { title, topic, description, events }) =>
  [
    `# Events of ${title.toLowerCase()}`,
    `${escaped(description)} The topic is \`${topic}\`.`,
    ...events.map(typePart),
  ].join('\n\n');
