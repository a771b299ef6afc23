import { breakingChannelChanges, type Published } from './asyncapi.js';
import { current } from './last-release.fixture.js';

/**
 * A part of a document that a test changes. Its type is `any`, because tests change parts of any
 * shape.
 */
// oxlint-disable-next-line typescript/no-explicit-any
type Node = any;

const BEFORE = current().asyncapi;

/**
 * The breaking changes that the check reports after `change` has changed the generated documents.
 */
const reported = (change: (published: Node) => void): readonly string[] => {
  const after = structuredClone(BEFORE);
  change(after);
  return breakingChannelChanges(BEFORE, after as Published);
};

const channel = ({ document }: Node): Node => document.channels['orders.v1'];
const placed = (published: Node): Node => channel(published).messages.OrderPlaced;
const trait = ({ document }: Node): Node => document.components.messageTraits.cloudEvent;
const dataOf = ({ schemas }: Node, type: string): Node => schemas[`${type}.v1.json`];

test.each<readonly [what: string, change: (published: Node) => void, line: string]>([
  [
    'a removed topic',
    ({ document }) => delete document.channels['orders.v1'],
    'orders.v1: was removed',
  ],
  [
    'another address of a topic',
    (all) => (channel(all).address = 'orders.v2'),
    'orders.v1: is now at orders.v2',
  ],
  [
    'a removed event type',
    (all) => delete channel(all).messages.OrderPaid,
    'orders.v1 OrderPaid: was removed',
  ],
  [
    'another media type',
    (all) => (placed(all).contentType = 'application/avro'),
    'orders.v1 OrderPlaced: is now application/avro',
  ],
  [
    'another type of the message key',
    (all) => (trait(all).bindings.kafka.key.type = 'integer'),
    'orders.v1 OrderPlaced key: may now be integer',
  ],
  [
    'a removed header',
    (all) => delete trait(all).headers.properties.ce_id,
    'orders.v1 OrderPlaced headers.ce_id: was removed',
  ],
  [
    'a header that may be missing',
    (all) => trait(all).headers.required.pop(),
    'orders.v1 OrderPlaced headers.ce_actor: may be missing now',
  ],
  [
    'another pattern of a header',
    (all) => (trait(all).headers.properties.ce_sequence.pattern = '^[0-9]+$'),
    'headers.ce_sequence: pattern is now ^[0-9]+$ instead of ^[0-9]{10}$',
  ],
  [
    'another value of a header',
    (all) => (placed(all).headers.properties.ce_type.const = 'OrderPlaced'),
    'headers.ce_type: is no longer payment-orchestrator.OrderPlaced',
  ],
  [
    'a removed field',
    (all) => delete dataOf(all, 'OrderPlaced').properties.amountMinor,
    'orders.v1 OrderPlaced data.amountMinor: was removed',
  ],
  [
    'a field that may be missing',
    (all) => dataOf(all, 'OrderPlaced').required.shift(),
    ': may be missing now',
  ],
  [
    'another kind of value',
    (all) => (dataOf(all, 'OrderPlaced').properties.at.type = 'integer'),
    'orders.v1 OrderPlaced data.at: may now be integer',
  ],
])('%s breaks subscribers', (_what, change, line) => {
  expect(reported(change).filter((one) => one.includes(line))).not.toEqual([]);
});

test.each<readonly [what: string, change: (published: Node) => void]>([
  ['nothing', () => {}],
  ['a new topic', ({ document }) => (document.channels.more = { address: 'more', messages: {} })],
  ['a new event type', (all) => (channel(all).messages.More = placed(all))],
  ['a new header', (all) => (trait(all).headers.properties.ce_more = { type: 'string' })],
  ['a new field', (all) => (dataOf(all, 'OrderPlaced').properties.more = { type: 'string' })],
])('%s breaks no subscriber', (_what, change) => {
  expect(reported(change)).toEqual([]);
});
