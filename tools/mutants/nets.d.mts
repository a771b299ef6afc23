/** The first failed test, as Jest prints its file and its name; null if none failed. */
export function firstFailure(
  output: string,
): { readonly file: string; readonly name: string } | null;
