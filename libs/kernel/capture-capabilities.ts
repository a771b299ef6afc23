/**
 * The captures that a provider supports in addition to capturing the whole amount.
 * `partialCapture`: less than the authorized amount; `multipleCapture`: several captures of one
 * authorization.
 */
export interface CaptureCapabilities {
  readonly partialCapture: boolean;
  readonly multipleCapture: boolean;
}
