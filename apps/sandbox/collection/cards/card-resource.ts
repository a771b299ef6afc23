import { INTEGER, shape, TEXT, TEXT_OR_NULL } from '../../api/answers.js';
import { answered, asked, CREATED, DELETED, field } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import { OPTIONAL_FLAG, optionalReference, optionalText, valueOf } from '../../api/values.js';
import { fixed } from '../../storage/table.js';

const MONTH = shape<number>({ type: 'integer', minimum: 1, maximum: 12 });
const YEAR = shape<number>({ type: 'integer', minimum: 2000, maximum: 2099 });

/**
 * The card's number and security code are never stored. See
 * docs/provider/payments-completion.md#resources.
 */
export const CARDS = resource(
  {
    prefix: 'card',
    title: 'Card',
    about: 'A card without its number. The same number and expiry date are always the same card.',
    table: 'cards',
    key: 'ca',
    numbers: ['number'],
    removed: 'object',
    patch: {
      rules: { dependentRequired: { exp_month: ['exp_year'], exp_year: ['exp_month'] } },
      conflict: 'Another card has the same number and this expiry date.',
    },
  },
  {
    number: asked(
      'The card number, digits only. Not stored.',
      shape<string>({ type: 'string', pattern: '^[0-9]{13,19}$' }),
      { only: 'create', required: true },
    ),
    created: CREATED,
    deleted: DELETED,
    brand: answered('The card’s brand, e.g. `visa`.', TEXT),
    last4: answered(
      'The last four digits of the number.',
      shape<string>({ type: 'string', pattern: '^[0-9]{4}$' }),
    ),
    exp_month: field('The month of expiry, 1 to 12.', valueOf(MONTH, MONTH), { required: true }),
    exp_year: field('The year of expiry, four digits.', valueOf(INTEGER, YEAR), { required: true }),
    cvc: asked(
      'The security code. Not stored.',
      shape<string | null>({ type: ['string', 'null'], pattern: '^[0-9]{3,4}$' }),
      { only: 'create' },
    ),
    country: answered('The issuer’s country, ISO 3166 alpha-2.', TEXT_OR_NULL),
    funding: answered('The funding type, e.g. `debit`.', TEXT_OR_NULL),
    network: answered('The network that payments use.', TEXT_OR_NULL, { mutable: true }),
    /** The network that payments use without a preferred network. */
    usual_network: fixed<string | null>(),
    nature: answered('Whether the card is personal or commercial.', TEXT_OR_NULL),
    name: field('The name on the card.', optionalText(3, 64)),
    zip_code: field('The payer’s postal code.', optionalText(2, 16)),
    customer: field('The customer that owns the card.', optionalReference('cust'), {
      column: 'customer_id',
      filter: true,
    }),
    external_id: field('The merchant’s reference.', optionalText(1, 36)),
    preferred_network: asked(
      'The network to use for a card with several networks.',
      optionalText(1, 32).in,
    ),
    tokenize: asked(
      'Has no effect: every card can be reused without its number.',
      OPTIONAL_FLAG.in,
    ),
    /**
     * Keyed hash of the number: with the expiry date, it identifies the card when it is entered
     * again in the same account and mode.
     */
    fingerprint: fixed<string>(),
    /**
     * The scenario of a test card, which defines the behaviour of the card's bank; null for any
     * other card.
     */
    scenario: fixed<string | null>(),
  },
);

export type CardRow = StoredRow<typeof CARDS>;
/** A card with its number, as in the body of `POST /v2/cards`. */
export type CardCreate = CreateBody<typeof CARDS>;
/** The changeable fields of a card. A renewal changes expiry month and year together. */
export type CardPatch = PatchBody<typeof CARDS>;
