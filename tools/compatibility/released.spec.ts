import { breakingChannelChanges } from './asyncapi.js';
import { current, lastRelease } from './last-release.fixture.js';
import { breakingChanges, removedSchemas } from './openapi.js';
import { mayBreak } from './version.js';

const [before, after] = [lastRelease(), current()];
const allowed = mayBreak(before.version, after.version);

/** The release after which all schemas were given their final names. */
const SCHEMAS_RENAMED_SINCE = '0.2.0';

test('the API breaks no client of the last release, unless the version permits it', () => {
  const changes = breakingChanges(before.openapi, after.openapi);
  expect(allowed ? [] : changes).toEqual([]);
});

test('the API keeps the schemas of the last release, unless the version permits it', () => {
  const changes = removedSchemas(before.openapi, after.openapi);
  expect(allowed || before.version === SCHEMAS_RENAMED_SINCE ? [] : changes).toEqual([]);
});

test('the events break no subscriber of the last release, unless the version permits it', () => {
  const changes = breakingChannelChanges(before.asyncapi, after.asyncapi);
  expect(allowed ? [] : changes).toEqual([]);
});

test.each([
  ['0.2.0', '0.2.1', false],
  ['0.2.0', '0.3.0', true],
  ['0.2.0', '1.0.0', true],
  ['1.2.0', '1.3.0', false],
  ['1.2.0', '2.0.0', true],
])('after the release %s, the version %s may break clients: %s', (was, is, expected) => {
  expect(mayBreak(was, is)).toBe(expected);
});
