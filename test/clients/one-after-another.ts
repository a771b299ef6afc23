/**
 * Executes actions one after another, because a code to sign with expires while the clock still
 * moves on; calls `onFailure` with the error of an action, after which no action is executed.
 */
export const oneAfterAnother = (
  onFailure: (error: unknown) => void,
): ((action: () => unknown) => void) => {
  let last = Promise.resolve<unknown>(undefined);
  return (action) => {
    last = last.then(action);
    last.catch(onFailure);
  };
};
