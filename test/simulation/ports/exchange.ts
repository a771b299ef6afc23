/**
 * One exchange of a process with a database or broker: the process sends a request, `effect`
 * happens completely within one turn, and the response arrives. In a `commit` the response arrives
 * in a later turn, so that a process can be killed between the commit and the response. In a
 * `plain` exchange the response arrives in the same turn.
 */
export type Exchange = <T>(label: string, kind: 'plain' | 'commit', effect: () => T) => Promise<T>;

/** An exchange without turns of the scheduler: nothing can happen between request and response. */
export const directly: Exchange = (_label, _kind, effect) => Promise.resolve().then(effect);
