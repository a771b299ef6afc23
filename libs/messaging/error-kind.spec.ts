import { StepConflict } from '#event-store';
import { AssertionFailed, Rejection } from '#kernel';
import { errorKind } from './error-kind.js';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

test.each([
  ['a conflict that was tried often', new StepConflict('moved on'), 'passing'],
  ['a refused connection', withCode('ECONNREFUSED'), 'passing'],
  ['a server that shuts down', withCode('57P01'), 'passing'],
  ['a full disk', withCode('53100'), 'passing'],
  ['a deadlock', withCode('40P01'), 'passing'],
  ['a broken connection', new Error('Connection terminated unexpectedly'), 'passing'],
  ['both addresses refused', new AggregateError([withCode('ECONNREFUSED')]), 'passing'],
  ['a no of the business', new Rejection('order_paid', 'paid'), 'final'],
  ['a failed assertion', new AssertionFailed('it holds'), 'final'],
  ['a broken constraint', withCode('23505'), 'doubtful'],
  ['a bug', new TypeError('undefined is not a function'), 'doubtful'],
  ['what is no error', 'text', 'doubtful'],
])('%s', (_what, error, kind) => {
  expect(errorKind(error)).toBe(kind);
});
