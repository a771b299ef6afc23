import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * `health <port>`: exits with 0 if the app that listens on this local port is ready; `health
 * process:<id>`: the same for the port on which a process listens, on Linux. The health checks of
 * containers run it.
 */
const ANSWER_WITHIN_MS = 4_000;

const LISTENS = '0A';

/** The inode of an open socket of a process; undefined for other files, and for closed ones. */
const socketOf = (link: string): string | undefined => {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.[1];
  } catch {
    return undefined; // The file was closed meanwhile.
  }
};

/** The TCP port on which a process listens: Linux lists all sockets of the network by inode. */
const portOf = (processId: string): number => {
  const files = `/proc/${processId}/fd`;
  const own = new Set(readdirSync(files).map((name) => socketOf(`${files}/${name}`)));
  const sockets = ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/${processId}/net/${kind}`, 'utf8').trim().split('\n').slice(1),
  );
  for (const socket of sockets) {
    const [, local = '', , state, , , , , , inode] = socket.trim().split(/\s+/);
    if (state === LISTENS && own.has(inode)) return Number.parseInt(local.split(':')[1] ?? '', 16);
  }
  throw new Error(`process ${processId} listens on no port`);
};

const [, processId, port] = /^(?:process:(\d+)|(\d+))$/.exec(process.argv[2] ?? '') ?? [];
if (processId === undefined && port === undefined) {
  process.stderr.write('usage: health <port>|process:<id>\n');
  process.exit(2);
}
try {
  const url = `http://127.0.0.1:${processId === undefined ? port : portOf(processId)}/health/ready`;
  const { status } = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  process.stdout.write(`${status}\n`);
  process.exitCode = status === 200 ? 0 : 1;
} catch (error) {
  process.stderr.write(`no app responded at ${process.argv[2]}: ${String(error)}\n`);
  process.exitCode = 1;
}
