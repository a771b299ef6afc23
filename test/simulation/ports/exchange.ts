/**
 * One exchange of a process with the outside: the request leaves, `effect` happens at once and as a
 * whole, the answer arrives. The answer has a turn of its own only where the process then stores a
 * result (`commit`); otherwise it equals the turn of the process's next exchange.
 */
export type Exchange = <T>(label: string, kind: 'plain' | 'commit', effect: () => T) => Promise<T>;

/** Nothing happens between request and answer. */
export const directly: Exchange = (_label, _kind, effect) => Promise.resolve().then(effect);
