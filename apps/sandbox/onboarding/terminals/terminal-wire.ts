import { listOf, shape, TEXT, type ValueOf } from '../../api/answers.js';
import { idOf, object } from '../wire/schema.js';
import { wireQuery } from '../wire/wire-check.js';
import { terminalMachine, type TerminalStatus } from './terminal-status.js';

/** `carrier-name` and `tracking-url` are null until the terminal is shipped. */
export const terminalAnswer = object(
  {
    id: idOf('term'),
    name: TEXT,
    status: shape<TerminalStatus>({ type: 'string', enum: terminalMachine.states }),
    'carrier-name': TEXT,
    'tracking-url': TEXT,
  },
  ['id', 'name', 'status'],
);

/** A terminal in the API. */
export type TerminalView = ValueOf<typeof terminalAnswer>;
export const terminalsAnswer = listOf(terminalAnswer);

export const accountQuery = wireQuery({ company: TEXT, account: TEXT });

export const orderQuery = wireQuery({
  company: TEXT,
  account: TEXT,
  name: shape<string>({ type: 'string', minLength: 1, maxLength: 100, pattern: '\\S' }),
});

export const cancelQuery = wireQuery({ company: TEXT, account: TEXT, 'payment-terminal': TEXT });
