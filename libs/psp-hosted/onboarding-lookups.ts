import type { CountryUse } from '#psp';
import {
  decodeActivities,
  decodeAmountRanges,
  decodeCodes,
  decodeCodesAndNames,
  decodeLegalForms,
  type WireActivity,
  type WireAmountRange,
  type WireCodeAndName,
  type WireLegalForm,
} from './onboarding-wire.js';
import type { ProviderTransport } from './provider-transport.js';

/** The ten lists of codes of the onboarding API. They change rarely: keep what they answer. */
export class OnboardingLookups {
  readonly #transport: ProviderTransport;
  readonly #partnerKey: string;

  constructor(transport: ProviderTransport, partnerKey: string) {
    this.#transport = transport;
    this.#partnerKey = partnerKey;
  }

  activities(): Promise<readonly WireActivity[]> {
    return this.#look('/naf-code', {}, decodeActivities);
  }

  averageBaskets(currency: string): Promise<readonly WireAmountRange[]> {
    return this.#look('/average-basket', { currency }, decodeAmountRanges);
  }

  forecastTurnovers(currency: string): Promise<readonly WireAmountRange[]> {
    return this.#look('/forecast-turnover', { currency }, decodeAmountRanges);
  }

  /** alpha3, as are those of countries. */
  currencies(): Promise<readonly string[]> {
    return this.#look('/currency', {}, decodeCodes);
  }

  countries(type: CountryUse): Promise<readonly string[]> {
    return this.#look('/countries', { type }, decodeCodes);
  }

  fieldsOfActivity(): Promise<readonly WireCodeAndName[]> {
    return this.#look('/field-of-activity', {}, decodeCodesAndNames);
  }

  languages(): Promise<readonly WireCodeAndName[]> {
    return this.#look('/language', {}, decodeCodesAndNames);
  }

  services(): Promise<readonly WireCodeAndName[]> {
    return this.#look('/service', {}, decodeCodesAndNames);
  }

  legalForms(country: string): Promise<readonly WireLegalForm[]> {
    return this.#look('/legal-form', { country }, decodeLegalForms);
  }

  /** As whom a person may represent a company of this legal form. */
  positions(legalForm: string): Promise<readonly WireCodeAndName[]> {
    return this.#look('/legal-form-position', { 'legal-form': legalForm }, decodeCodesAndNames);
  }

  #look<T>(
    pathTemplate: string,
    query: Readonly<Record<string, string>>,
    decode: (value: unknown) => T,
  ): Promise<T> {
    return this.#transport.send(this.#partnerKey, { method: 'GET', pathTemplate, query }, decode);
  }
}
