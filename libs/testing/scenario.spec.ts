import type { Decider } from '#kernel';
import { Rejection } from '#kernel';

import { scenario } from './scenario.js';

type Command = { type: 'Open' } | { type: 'Break' };
interface Event {
  type: 'Opened';
}

const door: Decider<boolean, Command, Event> = {
  initialState: false,
  decide: (isOpen, command) => {
    if (command.type === 'Break') throw new Error('broken');
    if (isOpen) throw new Rejection('already_open', 'the account is already open');
    return [{ type: 'Opened' }];
  },
  evolve: () => true,
};
const given = scenario(door);

test('a scenario expects exactly the decided events', () => {
  given().when({ type: 'Open' }).then({ type: 'Opened' });
  expect(() => given().when({ type: 'Open' }).thenNothing()).toThrow();
  expect(() => given().when({ type: 'Open' }).thenRejected('already_open')).toThrow();
});

test('a scenario expects a rejection with its code, and fails if events are expected instead', () => {
  const second = given({ type: 'Opened' }).when({ type: 'Open' });
  second.thenRejected('already_open');
  expect(() => second.thenRejected('other')).toThrow();
  expect(() => second.thenNothing()).toThrow(Rejection);
});

test('a scenario throws an unexpected error, and does not treat it as a rejection', () => {
  expect(() => given().when({ type: 'Break' })).toThrow('broken');
});
