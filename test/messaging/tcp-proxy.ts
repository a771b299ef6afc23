import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * Called with each frame that the client or the server sends; returns whether the frame is
 * forwarded.
 */
type FrameFilter = (frame: Buffer, from: 'client' | 'server') => boolean;

/** Splits a Kafka byte stream into frames: four bytes of length, then the payload. */
const splitFrames = (onFrame: (frame: Buffer) => void) => {
  let rest = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const end = 4 + rest.readInt32BE(0);
      onFrame(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
};

/** A proxy whose connections between clients and a server can be broken and restored. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(private readonly server: Server) {}

  static async start(
    target: { readonly host: string; readonly port: number },
    filter?: FrameFilter,
  ): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server);
    server.on('connection', (client) => proxy.accept(client, connect(target), filter));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Breaks every connection and refuses new ones. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  restore(): void {
    this.isCut = false;
  }

  async end(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(client: Socket, server: Socket, filter?: FrameFilter): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      const side = socket === client ? 'client' : 'server';
      const pass = (bytes: Buffer): void => {
        if (!other.destroyed) other.write(bytes);
      };
      socket.on(
        'data',
        filter === undefined
          ? pass
          : splitFrames((frame) => {
              if (filter(frame, side)) pass(frame);
            }),
      );
    }
    if (this.isCut) client.destroy();
  }
}

const PRODUCE = 0;

/**
 * Creates a filter that drops the broker's next `armed` acknowledgements of produce requests, and
 * forwards all other frames.
 */
export const lostAcks = () => {
  const state = { armed: 0, lost: 0 };
  const pending = new Set<number>();
  const filter: FrameFilter = (frame, from) => {
    if (from === 'client') {
      if (frame.readInt16BE(4) === PRODUCE) pending.add(frame.readInt32BE(8));
      return true;
    }
    const isAck = pending.delete(frame.readInt32BE(4));
    if (!isAck || state.armed === 0) return true;
    state.armed -= 1;
    state.lost += 1;
    return false;
  };
  return { state, filter };
};
