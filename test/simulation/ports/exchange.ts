/**
 * One exchange of a process with the outside: the request leaves, `effect` happens at once and as a
 * whole, the answer comes. The answer has a turn of its own only where the process then remembers
 * something (`commit`); else it cannot be told from the turn of the process's next exchange.
 */
export type Exchange = <T>(label: string, kind: 'plain' | 'commit', effect: () => T) => Promise<T>;

/** Nothing between request and answer. */
export const directly: Exchange = (_label, _kind, effect) => Promise.resolve().then(effect);
