/** A search text that cannot be understood; the message says what is possible. */
export class InvalidSearch extends Error {
  override readonly name = 'InvalidSearch';
}
