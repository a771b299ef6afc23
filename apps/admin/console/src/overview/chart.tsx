import type { ReactNode } from 'react';
import styles from './overview.module.css';

interface ChartProps {
  /** What the picture shows, in a sentence. */
  readonly label: string;
  readonly legend: readonly { readonly name: string; readonly color: string }[];
  readonly children: ReactNode;
  readonly isLow?: boolean;
}

/** A picture with its legend; who does not see it is told what it shows. */
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
