import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * The health check of containers. `health <port>` exits with 0 if the app that listens on this
 * local port is ready. `health process:<id>` checks the port on which this process listens (Linux
 * only).
 */
const ANSWER_WITHIN_MS = 4_000;

const LISTENS = '0A';

/** The inode of a process's open socket; undefined if the file is not a socket or is closed. */
const socketOf = (link: string): string | undefined => {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.[1];
  } catch {
    return undefined; // The file was closed meanwhile.
  }
};

/**
 * The TCP port on which a process listens. Linux lists all sockets of the network, and their inodes
 * identify the sockets of the process.
 */
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
