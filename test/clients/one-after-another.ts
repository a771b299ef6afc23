/**
 * Executes actions in sequence. (Concurrently, one action could move the clock while another enters
 * a code that then expires.) After an action fails, calls `onFailure` with the error and skips all
 * further actions.
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
