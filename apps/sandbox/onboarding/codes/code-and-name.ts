/** A code with its name: a row in the response of most lookups. */
export interface CodeAndName {
  readonly code: string;
  readonly name: string;
}
