import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsIn, IsObject, Matches, ValidateNested } from 'class-validator';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { Field, OneOf, Optional } from '#platform';
import { HasLength, HoldsNoEmail } from '../shared/validators.js';
import { CompanyChangeDto, CompanyDto } from './details/company.dto.js';

/**
 * The name of a terminal. Lists and the event history contain the name, so it must not contain
 * personal data.
 */
const TerminalName = { minLength: 1, maxLength: 100, example: 'Counter' };

/** A merchant to be onboarded. */
export class OnboardMerchantDto {
  @Field(
    'Your own reference, unique among your merchants: 1 to 64 visible ASCII characters. A text ' +
      'that looks like a card number is refused: see `card_number_not_allowed`.',
    { maxLength: 64, example: 'seller-118' },
  )
  @Matches(/^[!-~]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  @HoldsNoEmail()
  reference!: string;

  @OneOf(ACCOUNT_MODES, 'The mode in which the merchant is registered: `live` moves real money.')
  @IsIn(ACCOUNT_MODES)
  mode!: AccountMode;

  @ApiPropertyOptional({
    ...TerminalName,
    description: 'The name of a first terminal, ordered as soon as the provider allows it.',
  })
  @Optional()
  @Matches(/\S/, { message: '$property must not be blank' })
  @HasLength(1, 100)
  @HoldsNoEmail()
  firstTerminal?: string;

  @ApiProperty({ type: CompanyDto })
  @IsDefined()
  @ValidateNested()
  @IsObject()
  @Type(() => CompanyDto)
  details!: CompanyDto;
}

export class ChangeMerchantDto {
  @ApiProperty({ type: CompanyChangeDto })
  @IsDefined()
  @ValidateNested()
  @IsObject()
  @Type(() => CompanyChangeDto)
  details!: CompanyChangeDto;
}

export class OrderTerminalDto {
  @ApiProperty(TerminalName)
  @Matches(/\S/, { message: '$property must not be blank' })
  @HasLength(1, 100)
  @HoldsNoEmail()
  name!: string;
}

const ADDRESS = { line1: '12 rue des Lilas', postalCode: '75011', city: 'Paris', country: 'FR' };
const PERSON = {
  firstName: 'Camille',
  lastName: 'Martin',
  address: ADDRESS,
  nationality: 'FR',
  birth: { date: '1984-05-17', place: 'Paris', department: '75', country: 'FR' },
  residenceCountry: 'FR',
};
const COMPANY = {
  country: 'FR',
  legalForm: 'fr_sas',
  registrationNumber: '732829320',
  legalName: 'Atelier Lumière',
};

/** Examples for the API reference that are valid requests. */
export const ONBOARD_EXAMPLES = {
  least: {
    summary: 'Only the required fields; the others can be added later',
    value: {
      reference: 'seller-118',
      mode: 'test',
      details: {
        company: COMPANY,
        contact: { firstName: 'Camille', lastName: 'Martin', email: 'camille@example.test' },
      },
    },
  },
  full: {
    summary:
      'All fields that the contract needs, and a first terminal; documents are sent separately',
    value: {
      reference: 'seller-119',
      mode: 'test',
      firstTerminal: 'Counter',
      details: {
        company: {
          ...COMPANY,
          registeredOn: '2019-03-04',
          website: 'https://atelier.example',
          address: ADDRESS,
          passiveNonFinancialEntity: false,
          activity: {
            code: '47.71Z',
            sector: 'fashion',
            averageBasket: '50_to_100',
            forecastTurnover: '100000_to_250000',
          },
        },
        contact: {
          ...PERSON,
          email: 'camille.martin@example.test',
          phone: '+33612345678',
          language: 'fr',
        },
        payoutAccount: { iban: 'FR7630006000011234567890189' },
        products: ['online_payments', 'payment_terminals'],
        owners: [{ person: PERSON, ownershipPercent: 100, votingPercent: 100, controls: true }],
        representatives: [{ person: PERSON, position: 'president' }],
        deliveryAddress: { ...ADDRESS, businessName: 'Atelier Lumière' },
      },
    },
  },
} as const;
