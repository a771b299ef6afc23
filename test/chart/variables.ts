import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/infra/paths.mjs';

export const PROCESSES = ['api', 'worker', 'admin'] as const;
export type ProcessName = (typeof PROCESSES)[number];

const PAGE = readFileSync(join(ROOT, 'docs', 'configuration.md'), 'utf8');

/**
 * The headings in docs/configuration.md whose tables apply to a process. Each function selects the
 * tables by the title of their first column.
 */
const SECTIONS: Readonly<Record<string, (title: string, name: ProcessName) => boolean>> = {
  'Every app': (title) => title === 'Variable',
  'all, api, worker and admin': (title, name) => title === 'Variable' || title === name,
};

/** The environment variables that docs/configuration.md lists for a process. */
export const documentedFor = (name: ProcessName): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const section of PAGE.split(/^## /m)) {
    const isAsked = SECTIONS[section.slice(0, section.indexOf('\n'))];
    for (const table of section.match(/(?:^\|.*\n)+/gm) ?? []) {
      const [head = '', , ...rows] = table.split('\n').map((row) => row.split('|')[1]?.trim());
      if (isAsked?.(head, name) !== true) continue;
      for (const cell of rows) {
        for (const [, variable = ''] of cell?.matchAll(/`([A-Z_]+)`/g) ?? []) found.add(variable);
      }
    }
  }
  return found;
};

/**
 * Variables that the chart sets itself or leaves at their defaults: ports, paths of mounted files,
 * and settings of development.
 */
export const isFixed = (variable: string): boolean =>
  /_PORT$|_FILE$/.test(variable) ||
  [
    'CLOCK_URL',
    'HOST',
    'LOG_PRETTY',
    'PORT_BASE',
    'WEBHOOKS_REFUSED_CIDRS',
    'WEBHOOKS_TO_LOOPBACK',
  ].includes(variable);
