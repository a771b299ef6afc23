import type { AddressInfo, Server, Socket } from 'node:net';

export interface Listener {
  readonly port: number;
  /** Stops accepting connections; resolves when the last connection has ended. */
  close(): Promise<void>;
  cutConnections(): void;
}

/** Opens an additional port for the app; rejects if the port is in use. */
export const listen = async (server: Server, port: number, host: string): Promise<Listener> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
    cutConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
