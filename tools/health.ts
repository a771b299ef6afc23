/**
 * `health <port>`: exits with 0 if the app that listens on this local port is ready. The health
 * checks of containers run it.
 */
const ANSWER_WITHIN_MS = 4_000;

const port = Number(process.argv[2]);
if (!Number.isInteger(port)) {
  process.stderr.write('usage: health <port>\n');
  process.exit(2);
}
try {
  const url = `http://127.0.0.1:${port}/health/ready`;
  const { status } = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  process.stdout.write(`${status}\n`);
  process.exitCode = status === 200 ? 0 : 1;
} catch (error) {
  process.stderr.write(`no app responded on port ${port}: ${String(error)}\n`);
  process.exitCode = 1;
}
