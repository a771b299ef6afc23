/**
 * Sends a request from a process to a database or broker, executes `effect` within one turn, and
 * returns its result. For a `commit` the response arrives in a later turn, so that the process can
 * be killed between the commit and the response. For a `plain` request the response arrives in the
 * same turn.
 */
export type Exchange = <T>(label: string, kind: 'plain' | 'commit', effect: () => T) => Promise<T>;

/** Executes the request directly, so that nothing else can happen between request and response. */
export const directly: Exchange = (_label, _kind, effect) => Promise.resolve().then(effect);
