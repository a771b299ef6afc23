const CALLBACK = '/sign-in/callback';
const PATH_KEY = 'sign-in-from';

/** Remembers the page to show after the sign-in at the identity provider. */
export const rememberPage = (): void =>
  sessionStorage.setItem(PATH_KEY, `${location.pathname}${location.search}`);

/** The remembered page, if it is one of the console's: never an address of another origin. */
const rememberedPage = (): string => {
  const path = sessionStorage.getItem(PATH_KEY) ?? '/';
  sessionStorage.removeItem(PATH_KEY);
  const isOurs = /^\/(?![/\\])/.test(path) && URL.parse(path, location.origin) !== null;
  return isOurs && !path.startsWith(CALLBACK) ? path : '/';
};

/**
 * The query string with which the identity provider returned the browser; null if it did not return
 * the browser. The address bar then shows the page from which the sign-in started, because the
 * query string contains an authorization code.
 */
const returned = (): string | null => {
  if (location.pathname !== CALLBACK) return null;
  const query = location.search;
  history.replaceState(null, '', rememberedPage());
  return query;
};

let query = returned();

/** Returns the query string at the first call, and null at later calls. */
export const takeReturn = (): string | null => {
  const taken = query;
  query = null;
  return taken;
};

const CHANNEL = 'session';

/** Reports a sign-in to the other tabs of the console. */
export const reportSignIn = (): void => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('signed_in');
  channel.close();
};

/**
 * Calls `listener` after a sign-in in another tab; returns the function that removes the listener.
 */
export const onSignInElsewhere = (listener: () => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  return () => channel.close();
};
