import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

const KEEP_ALIVE_MS = 60_000;
/** How long a broker may take to close a connection that we have ended. */
const CLOSE_LIMIT_MS = 2_000;

/**
 * Opens a connection to a broker as kafkajs does, and closes it when kafkajs has ended its side.
 * kafkajs itself waits until the broker closes the connection, too. A suspended broker never does
 * this, so each attempt to reach it would leave a file descriptor open.
 */
export const brokerSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const socket: Socket = ssl
    ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...ssl }, onConnect)
    : connect({ host, port }, onConnect);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  const end = socket.end.bind(socket);
  socket.end = () => {
    const closing = setTimeout(() => socket.destroy(), CLOSE_LIMIT_MS).unref();
    socket.once('close', () => clearTimeout(closing));
    return end();
  };
  return socket;
};
