import { StepConflict } from './conflict.js';
import { DatabaseBusy } from './database-busy.js';
import { AssertionFailed, Rejection } from '#kernel';
import { errorKind } from './error-kind.js';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

test.each([
  ['a conflict after many retries', 'transient', new StepConflict('moved on')],
  ['a refused connection', 'transient', withCode('ECONNREFUSED')],
  ['a server that shuts down', 'transient', withCode('57P01')],
  ['a queue of commits that is full', 'transient', new DatabaseBusy(2_000)],
  ['a full disk', 'transient', withCode('53100')],
  ['a deadlock', 'transient', withCode('40P01')],
  ['a broken connection', 'transient', new Error('Connection terminated unexpectedly')],
  [
    'a connection that both addresses refuse',
    'transient',
    new AggregateError([withCode('ECONNREFUSED')]),
  ],
  ['a rejection by a business rule', 'final', new Rejection('order_paid', 'paid')],
  ['a failed assertion', 'final', new AssertionFailed('it holds')],
  ['a broken constraint', 'unknown', withCode('23505')],
  ['a bug', 'unknown', new TypeError('undefined is not a function')],
  ['a thrown text', 'unknown', 'text'],
])('the error «%s» is classified as %s', (_what, kind, error) => {
  expect(errorKind(error)).toBe(kind);
});
