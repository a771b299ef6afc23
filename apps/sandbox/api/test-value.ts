/** What `GET /sandbox/test-values` answers. */
export interface TestValue {
  readonly kind: string;
  readonly scenario: string;
  readonly value: string;
  readonly response: string;
  readonly result: string;
}
