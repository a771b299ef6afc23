/** A row of most lookups. */
export interface CodeAndName {
  readonly code: string;
  readonly name: string;
}
