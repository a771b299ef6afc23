/** The choices of a filter: each value with its label. */
export const choicesOf = <Value extends string>(
  words: Readonly<Record<Value, string>>,
): readonly { readonly value: Value; readonly label: string }[] =>
  (Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] }));
