/** A card's brand as shown to people, e.g. `Visa`; `CB` is capitalised as an abbreviation. */
export const brandText = (brand: string): string =>
  brand === 'cb' ? 'CB' : brand.charAt(0).toUpperCase() + brand.slice(1);
