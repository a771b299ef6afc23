import type { ReactNode } from 'react';
import styles from './overview.module.css';

interface ChartProps {
  /** A description for screen readers. */
  readonly label: string;
  readonly legend: readonly { readonly name: string; readonly color: string }[];
  readonly children: ReactNode;
  readonly isLow?: boolean;
}

/** A chart with its legend and a description for screen readers. */
export const Chart = ({ label, legend, children, isLow = false }: ChartProps) => (
  <figure style={{ margin: 0 }}>
    <div
      role="img"
      aria-label={label}
      className={`${styles['chart']} ${isLow ? styles['low'] : ''}`}
    >
      {children}
    </div>
    {legend.length > 1 && (
      <ul className={styles['legend']}>
        {legend.map(({ name, color }) => (
          <li key={name}>
            <span className={styles['swatch']} style={{ background: color }} />
            {name}
          </li>
        ))}
      </ul>
    )}
  </figure>
);
