/**
 * What a provider can do beside the capture of the whole amount. `partialCapture`: less than what
 * was authorized; `multipleCapture`: more than one capture of an authorization.
 */
export interface CaptureCapabilities {
  readonly partialCapture: boolean;
  readonly multipleCapture: boolean;
}
