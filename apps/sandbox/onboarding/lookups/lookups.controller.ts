import { Controller, Get, Query } from '@nestjs/common';
import { assert } from '#kernel';
import { ACTIVITIES, type Activity } from '../codes/activities.js';
import { type AmountRange, averageBaskets, forecastTurnovers } from '../codes/amount-ranges.js';
import type { CodeAndName } from '../codes/code-and-name.js';
import { countriesFor } from '../codes/countries.js';
import { CURRENCY_CODES } from '../codes/currencies.js';
import { FIELDS_OF_ACTIVITY } from '../codes/fields-of-activity.js';
import { LANGUAGES } from '../codes/languages.js';
import { type LegalForm, legalFormsOf, positionsOf } from '../codes/legal-forms.js';
import { SERVICES } from '../codes/services.js';
import { countriesQuery, currencyQuery, legalFormQuery, positionQuery } from './lookup-wire.js';

/** Returns the valid codes of a company's fields. See docs/provider/onboarding.md#lookups. */
@Controller('api/partners')
export class LookupsController {
  @Get('naf-code')
  activities(): readonly Activity[] {
    return ACTIVITIES;
  }

  @Get('average-basket')
  averageBaskets(@Query() query: unknown): readonly AmountRange[] {
    return averageBaskets(currencyQuery.read(query).currency);
  }

  @Get('currency')
  currencies(): readonly string[] {
    return CURRENCY_CODES;
  }

  @Get('field-of-activity')
  fieldsOfActivity(): readonly CodeAndName[] {
    return FIELDS_OF_ACTIVITY;
  }

  @Get('forecast-turnover')
  forecastTurnovers(@Query() query: unknown): readonly AmountRange[] {
    return forecastTurnovers(currencyQuery.read(query).currency);
  }

  @Get('countries')
  countries(@Query() query: unknown): readonly string[] {
    return countriesFor(countriesQuery.read(query).type);
  }

  @Get('language')
  languages(): readonly CodeAndName[] {
    return LANGUAGES;
  }

  @Get('legal-form')
  legalForms(@Query() query: unknown): readonly LegalForm[] {
    return legalFormsOf(legalFormQuery.read(query).country);
  }

  @Get('legal-form-position')
  positions(@Query() query: unknown): readonly CodeAndName[] {
    const positions = positionsOf(positionQuery.read(query)['legal-form']);
    assert(positions !== null, 'the query has a legal form');
    return positions;
  }

  @Get('service')
  services(): readonly CodeAndName[] {
    return SERVICES;
  }
}
