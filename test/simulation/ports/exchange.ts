/**
 * One exchange of a process with the outside: the process sends a request, `effect` happens at once
 * and completely, and the response arrives. The response has its own turn only if the process then
 * stores a result (`commit`); otherwise it is part of the process's next exchange.
 */
export type Exchange = <T>(label: string, kind: 'plain' | 'commit', effect: () => T) => Promise<T>;

/** An exchange without turns: nothing can happen between request and response. */
export const directly: Exchange = (_label, _kind, effect) => Promise.resolve().then(effect);
