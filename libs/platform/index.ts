export {
  hashSecret,
  isScope,
  needsTwoPeople,
  newApiKey,
  parseApiKey,
  provesKey,
  type Scope,
  SCOPES,
} from './api-key.js';
export {
  AddressRefused,
  type AllowedAddresses,
  refusedAddressesFromEnv,
  refuseWrittenAddress,
} from './address-guard.js';
export {
  type ApiKeyRow,
  ApiKeyStore,
  checkPlatformId,
  PLATFORM_ID,
  PLATFORM_ID_FORM,
  REPAIR_SCOPE,
} from './api-key-store.js';
export { type BusinessClock, startBusinessClock } from './business-clock.js';
export { BusinessClockModule, CLOCK } from './business-clock.module.js';
export { CoalescedReads } from './coalesced-reads.js';
export {
  ConfigError,
  envFlag,
  envInt,
  envOptional,
  envPort,
  envSecret,
  envSecretOptional,
  envText,
} from './config.js';
export { csvLine } from './csv.js';
export { createPool, DatabaseModule } from './database.module.js';
export {
  AnyObject,
  DateTime,
  Field,
  Integer,
  ListOf,
  Nullable,
  NullableDateTime,
  OneOf,
} from './field-docs.js';
export { type DocumentWords, openApiOf } from './open-api.js';
export { NullIsMissing, Optional } from './optional.js';
export { firstRow } from './first-row.js';
export {
  GuardedPost,
  isLoopbackHttp,
  NO_PUBLIC_ADDRESS,
  POST_ABORTED,
  type PostResult,
} from './guarded-post.js';
export { HealthChecks } from './health.js';
export { type HttpApp, type HttpAppOptions, runApp, startHttpApp } from './http-app.js';
export { mayHoldIban } from './ibans.js';
export { IdleChecks } from './idle-checks.js';
export { createLogger, LOGGER, type Logger } from './logger.js';
export { maskCardNumbers, mayHoldCardNumber } from './masking.js';
export { Metrics } from './metrics.js';
export { PlatformModule } from './platform.module.js';
export { jsonPointer, Problem, type ProblemBody, type ProblemDetail } from './problem.js';
export { problemBody } from './problem.filter.js';
export { ProblemDto } from './problem-dto.js';
export { ClockCheck } from './clock-check.js';
export { type ProblemOptions, temporarilyUnavailable } from './problem-mapping.js';
export {
  databaseUrlFromEnv,
  isProductionProfile,
  refuseKnownSecret,
  requireHttps,
  requireTls,
  webhooksToLoopback,
} from './production.js';
export { agreeOnProduction, isProduction, markProduction } from './production-database.js';
export { limitRates } from './rate-limit.js';
export { traceparentOf } from './request-context.js';
export { documentedSchemas, exampleOf, type SchemaDocs } from './schema-docs.js';
export { createSecretBox, type SecretBox } from './secret-box.js';
export { type AssertHeld, SessionLocks } from './session-locks.js';
export { Slots } from './slots.js';
export { refuseUnwantedText } from './text-guard.js';
export { listenTls, type TlsOptions } from './tls-listener.js';
export { continueTrace, formatTraceparent, parseTraceparent } from './trace-context.js';
export { continueFrom, failActiveSpan, inSpan, isTracing, noteSpan } from './tracing.js';
