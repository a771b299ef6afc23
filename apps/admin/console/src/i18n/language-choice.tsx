import { SegmentedControl } from '@mantine/core';
import { type Language, LANGUAGES, useI18n } from './i18n';

const CHOICES = (Object.keys(LANGUAGES) as Language[]).map((value) => ({
  value,
  label: LANGUAGES[value],
}));

export const LanguageChoice = () => {
  const { language, choose, t } = useI18n();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t.shell.language}
      data={CHOICES}
      value={language}
      onChange={choose}
    />
  );
};
