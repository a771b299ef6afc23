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

test('reads an event that was written under a former name by its name and schema of today', () => {
  const today = { type: 'StatusChanged', data: { status: 'open' } };
  expect(upcast(upcasters, stream, written)).toEqual(today);
  expect(upcast(upcasters, stream, { ...written, type: 'StatusChanged' })).toEqual(today);
});

test('counts the schema versions of a renamed type on', () => {
  expect(currentSchemaVersion(upcasters, 'Moved')).toBe(2);
  expect(isKnownEvent(upcasters, { type: 'Moved', schemaVersion: 3 })).toBe(false);
  expect(() => upcast(upcasters, stream, { ...written, schema_version: 3 })).toThrow(UnknownEvent);
});

test('lists the types by their names of today', () => {
  expect(currentTypes(upcasters)).toEqual(['StatusChanged']);
});
