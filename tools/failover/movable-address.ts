import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * Forwards connections from a port of 127.0.0.1 to a server, like the virtual IP address of a
 * database cluster. `moveTo` forwards to another server instead and ends all connections.
 */
export class MovableAddress {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private targetPort: number,
  ) {
    server.on('connection', (client) => this.accept(client));
  }

  static async start(targetPort: number): Promise<MovableAddress> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new MovableAddress(server, targetPort);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  moveTo(port: number): void {
    this.targetPort = port;
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(client: Socket): void {
    const server = connect(this.targetPort, '127.0.0.1');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy()); // The other side sees its connection end.
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
