/** A card's brand for people: `Visa`; `CB` is an abbreviation. */
export const brandText = (brand: string): string =>
  brand === 'cb' ? 'CB' : brand.charAt(0).toUpperCase() + brand.slice(1);
