export { ApiError } from './api-error.js';
export { type Client, type ClientOptions, createClient } from './client.js';
export { ConnectionFailed } from './connection-failed.js';
export type * from './events.js';
export type { Listing } from './listing.js';
export type { Input, RequestOptions, WaitOptions } from './method.js';
export type { ErrorCode, Operations } from './operations.js';
export type * from './schema.js';
export { type ReceivedWebhook, verifyWebhook, WebhookVerificationError } from './webhooks.js';
