import { isTransientError } from './transient.js';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

test.each([
  ['a refused connection', withCode('ECONNREFUSED'), true],
  ['a server that shuts down', withCode('57P01'), true],
  ['a full disk', withCode('53100'), true],
  ['a deadlock', withCode('40P01'), true],
  ['a broken connection', new Error('Connection terminated unexpectedly'), true],
  ['both addresses refused', new AggregateError([withCode('ECONNREFUSED')]), true],
  [
    'one address refused and a bug',
    new AggregateError([withCode('ECONNREFUSED'), new Error('x')]),
    false,
  ],
  ['a statement that takes too long', withCode('57014'), false],
  ['a violated constraint', withCode('23505'), false],
  ['a statement after an error that was swallowed', withCode('25P02'), false],
  ['a bug', new TypeError('undefined is not a function'), false],
  ['a value that is not an error', 'text', false],
])('an error is classified as transient or not: %s', (_what, error, isTransient) => {
  expect(isTransientError(error)).toBe(isTransient);
});
