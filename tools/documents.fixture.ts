import { readFileSync } from 'node:fs';

/** The documents with commands that operators copy. */
export const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'docs/runbook.md',
  'docs/operations.md',
  'docs/scale.md',
  'docs/sandbox.md',
  'test/simulation/README.md',
];

/** Example values for the placeholders of a command. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  'job id': '00000000-0000-4000-8000-000000000000',
  workflow: 'checkout',
  key: 'ord_1',
  stimulus: 'checkout.expiry@2030-01-01T00:00:00.000Z',
  'merchant id': 'mer_1',
  name: 'order_list',
  id: 'shop',
};

/** An `npm run` command in a document: the script and its arguments. */
export interface Documented {
  readonly document: string;
  readonly script: string;
  readonly args: readonly string[];
}

const argsOf = (text: string): readonly string[] => {
  const filled = text.replaceAll(
    /<([^>]+)>/g,
    (whole, name: string) => PLACEHOLDERS[name] ?? whole,
  );
  return (filled.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
};

/** Matches a command in inline code or in a code block, without a comment after the command. */
const COMMAND = /(?:`|^)[^`\n]*?npm run ([\w:]+)(?: -- ([^`\n#]+(?:\n[^`\n#]+)??))?(?:`|$)/gm;

export const documentedCommands = (): readonly Documented[] =>
  DOCUMENTS.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(COMMAND)].map(([, script = '', args = '']) => ({
      document,
      script,
      args: argsOf(args),
    })),
  );
