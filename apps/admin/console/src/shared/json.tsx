interface JsonProps {
  readonly label: string;
  readonly value: unknown;
  readonly className?: string | undefined;
}

/** A raw JSON value; focusable, because it may scroll. */
export const Json = ({ label, value, className }: JsonProps) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls.
  <pre className={className} role="region" aria-label={label} tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </pre>
);
