import { paymentDocument } from '../apps/sandbox/collection/openapi/document.js';
import { onboardingDocument } from '../apps/sandbox/onboarding/openapi/onboarding-document.js';

const written = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** The contents of the generated files by path below the root. */
export const sandboxOpenApiDocs = (): ReadonlyMap<string, string> =>
  new Map([
    ['docs/generated/openapi.sandbox.json', written(paymentDocument())],
    ['docs/generated/openapi.sandbox-onboarding.json', written(onboardingDocument())],
  ]);
