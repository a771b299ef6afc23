import { StepConflict } from './conflict.js';
import { AssertionFailed, Rejection } from '#kernel';
import { errorKind } from './error-kind.js';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

test.each([
  ['a conflict after many retries', new StepConflict('moved on'), 'transient'],
  ['a refused connection', withCode('ECONNREFUSED'), 'transient'],
  ['a server that shuts down', withCode('57P01'), 'transient'],
  ['a full disk', withCode('53100'), 'transient'],
  ['a deadlock', withCode('40P01'), 'transient'],
  ['a broken connection', new Error('Connection terminated unexpectedly'), 'transient'],
  ['both addresses refused', new AggregateError([withCode('ECONNREFUSED')]), 'transient'],
  ['a no of the business', new Rejection('order_paid', 'paid'), 'final'],
  ['a failed assertion', new AssertionFailed('it holds'), 'final'],
  ['a broken constraint', withCode('23505'), 'unknown'],
  ['a bug', new TypeError('undefined is not a function'), 'unknown'],
  ['what is no error', 'text', 'unknown'],
])('%s', (_what, error, kind) => {
  expect(errorKind(error)).toBe(kind);
});
