import { useI18n } from '../i18n/i18n';
import type { AmountText, PreviewItem } from '../i18n/preview-text';
import { formatAmount } from '../shared/format';

/** The text of a preview's line, in the viewer's language. */
export const usePreviewText = (): ((item: PreviewItem) => string) => {
  const { t, locale } = useI18n();
  const amount: AmountText = (amountMinor, currency) => formatAmount(amountMinor, currency, locale);
  return (item) => {
    // The cast is needed because TypeScript does not relate the text of a code to the values of
    // that code.
    const textOf = t.previewTexts[item.code] as (item: PreviewItem, amount: AmountText) => string;
    return textOf(item, amount);
  };
};
