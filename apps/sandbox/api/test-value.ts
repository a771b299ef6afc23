/** An entry of the response of `GET /sandbox/test-values`. */
export interface TestValue {
  readonly kind: string;
  readonly scenario: string;
  readonly value: string;
  readonly response: string;
  readonly result: string;
}
