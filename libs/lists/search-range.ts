/** A range of values, `to` inclusive for amounts and exclusive for instants; null: no limit. */
export interface Range<Value> {
  readonly from: Value | null;
  readonly to: Value | null;
}

type Comparison = '>' | '>=' | '<' | '<=';

/** Splits a value such as `>=100` into its comparison operator, if it has one, and the rest. */
export const comparisonOf = (
  value: string,
): { readonly comparison: Comparison | undefined; readonly text: string } => {
  const [, comparison, text = ''] = /^(>=|<=|>|<)?(.*)$/.exec(value) ?? [];
  return { comparison: comparison as Comparison | undefined, text };
};
