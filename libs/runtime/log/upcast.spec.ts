import type { Upcasters } from '#kernel';
import {
  currentSchemaVersion,
  currentTypes,
  isKnownEvent,
  UnknownEvent,
  upcast,
} from './upcast.js';

const upcasters: Upcasters = {
  StatusChanged: [({ state, ...data }) => ({ ...data, status: state })],
  Moved: 'StatusChanged',
};
const stream = { streamType: 'counter', streamId: 'c_1' };
const written = { version: 1, type: 'Moved', schema_version: 1, data: { state: 'open' } };

test('an event with a former type name is read with its current name and schema', () => {
  const today = { type: 'StatusChanged', data: { status: 'open' } };
  expect(upcast(upcasters, stream, written)).toEqual(today);
  expect(upcast(upcasters, stream, { ...written, type: 'StatusChanged' })).toEqual(today);
});

test('the schema versions of a renamed event type continue those of the former name', () => {
  expect(currentSchemaVersion(upcasters, 'Moved')).toBe(2);
  expect(isKnownEvent(upcasters, { type: 'Moved', schemaVersion: 3 })).toBe(false);
  expect(() => upcast(upcasters, stream, { ...written, schema_version: 3 })).toThrow(UnknownEvent);
});

test('the list of event types contains only current names', () => {
  expect(currentTypes(upcasters)).toEqual(['StatusChanged']);
});
