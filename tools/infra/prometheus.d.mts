/**
 * The paths of Prometheus and its tool for rules: the installed ones, else those of Debian's
 * package, which is unpacked into `.state` once. Throws a `Failure` if there are none.
 */
export function ensurePrometheus(): Promise<{
  readonly prometheus: string;
  readonly promtool: string;
}>;
