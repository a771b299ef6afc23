import { createTheme, type CSSVariablesResolver } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
});

/** Greys with a contrast of 4.5:1 on their backgrounds; the default greys have a lower contrast. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f7f9',
    '--mantine-color-text': '#16191d',
    '--mantine-color-dimmed': '#545b64',
    '--mantine-color-placeholder': '#636b74',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#2f4ac0',
  },
  dark: {
    '--mantine-color-body': '#121417',
    '--mantine-color-text': '#e6e8eb',
    '--mantine-color-dimmed': '#a3abb5',
    '--mantine-color-placeholder': '#8f98a3',
    '--mantine-color-error': '#ff9d95',
    '--mantine-color-anchor': '#a5b8ff',
  },
});
