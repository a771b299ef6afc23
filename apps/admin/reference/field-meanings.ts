import type { OpenAPIObject } from '@nestjs/swagger';

/** Descriptions of fields that mean the same in every class, which may still give its own. */
const MEANINGS: Readonly<Record<string, string>> = {
  accountId: 'The provider account.',
  captureId: 'The capture.',
  closeReason: 'Why it was closed.',
  closedAt: 'When it was closed, wall time; null: open.',
  code: 'A stable code, for programs.',
  currency: 'ISO 4217, lower case.',
  detail: 'What is wrong.',
  disputed: 'Whether the payer has disputed it.',
  draftedAt: 'When it was drafted, business time.',
  errors: 'The invalid fields and parameters.',
  foundAt: 'When the break was found, wall time.',
  id: 'The unique id.',
  items: 'The rows.',
  kind: 'The kind.',
  lineKind: 'What the compared line is about.',
  merchantId: 'The merchant.',
  method: 'The payment method.',
  mismatched: 'Whether the provider shows a state that contradicts the recorded one.',
  mode: 'The environment of the provider.',
  orderId: 'The order.',
  paymentId: 'The payment.',
  payoutId: 'The payout.',
  placedAt: 'When it was placed, business time.',
  platformId: 'The platform.',
  reference: 'The platform’s own reference.',
  requestedAt: 'When it was requested, business time.',
  status: 'The current status.',
  title: 'The title of the HTTP status.',
  updatedAt: 'When it last changed, business time.',
};

type Properties = Readonly<Record<string, { description?: string }>>;

/** The properties of each schema of the document. */
export const propertiesOf = ({
  components,
}: OpenAPIObject): readonly (readonly [string, Properties])[] =>
  Object.entries(components?.schemas ?? {}).map(([name, schema]) => [
    name,
    (schema as { readonly properties?: Properties }).properties ?? {},
  ]);

/** Describes each property that has no description of its own. */
export const describeFields = (document: OpenAPIObject): void => {
  for (const [, properties] of propertiesOf(document)) {
    for (const [name, property] of Object.entries(properties)) {
      const meaning = MEANINGS[name];
      if (meaning !== undefined) property.description ??= meaning;
    }
  }
};
