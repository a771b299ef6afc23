import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../tools/chaos/random.js';

/**
 * What happens to a connection. `latency`: all data is delayed. `trickle`: responses arrive a few
 * bytes at a time. `cut`: the connection ends in the middle of a response. `reset`: the connection
 * is reset immediately. `black_hole`: no data arrives, and the connection is reset after a delay.
 * `silence`: no data arrives, and the connection is never reset.
 */
export type TcpFault = 'latency' | 'trickle' | 'cut' | 'reset' | 'black_hole' | 'silence';

const FAULTS = ['latency', 'latency', 'trickle', 'cut', 'cut', 'reset', 'black_hole'] as const;

const LATE_MS = 60;
const DROP_BYTES = 7;
const DROP_EVERY_MS = 2;
/**
 * The number of bytes of a response that `trickle` delivers slowly. The rest follows at full speed,
 * because a large response would otherwise take too long.
 */
const TRICKLED_BYTES = 400;
const HOLE_MS = 2_500;
const LOOPBACK = '127.0.0.1';

/** One direction of a connection; delayed data stays in order. */
class Lane {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly to: Socket) {}

  pass(how: (write: (part: Buffer) => void) => Promise<void> | void): void {
    this.last = this.last.then(async () => {
      await how((part) => {
        if (!this.to.destroyed && part.length > 0) this.to.write(part);
      });
    });
  }
}

class Wire {
  fault: TcpFault | null = null;
  private readonly toServer: Lane;
  private readonly toClient: Lane;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
  ) {
    this.toServer = new Lane(server);
    this.toClient = new Lane(client);
    client.on('data', (bytes: Buffer) => this.ask(bytes));
    server.on('data', (bytes: Buffer) => this.answer(bytes));
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
  }

  get isOpen(): boolean {
    return !this.client.destroyed && !this.server.destroyed;
  }

  meet(fault: TcpFault): void {
    this.fault = fault;
    if (fault === 'reset') this.break();
    if (fault === 'black_hole') setTimeout(() => this.break(), HOLE_MS).unref();
  }

  break(): void {
    this.client.resetAndDestroy();
    this.server.destroy();
  }

  private get isSilent(): boolean {
    return this.fault === 'black_hole' || this.fault === 'silence';
  }

  private ask(bytes: Buffer): void {
    if (this.isSilent) return;
    this.toServer.pass(async (write) => {
      if (this.fault === 'latency') await sleep(LATE_MS);
      write(bytes);
    });
  }

  private answer(bytes: Buffer): void {
    if (this.isSilent) return;
    if (this.fault === 'cut') {
      this.client.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => this.break());
      return;
    }
    this.toClient.pass(async (write) => {
      if (this.fault === 'latency') await sleep(LATE_MS);
      const slow = bytes.subarray(0, this.fault === 'trickle' ? TRICKLED_BYTES : 0);
      for (let at = 0; at < slow.length; at += DROP_BYTES) {
        write(slow.subarray(at, at + DROP_BYTES));
        await sleep(DROP_EVERY_MS);
      }
      write(bytes.subarray(slow.length));
    });
  }
}

/**
 * A proxy between clients and a server on this machine; it injects faults that a seed determines.
 */
export class TcpFaultProxy {
  readonly met: Record<TcpFault, number> = {
    latency: 0,
    trickle: 0,
    cut: 0,
    reset: 0,
    black_hole: 0,
    silence: 0,
  };
  private wires: Wire[] = [];
  private disturbing: Promise<void> | null = null;
  private isRough = false;

  private constructor(private readonly server: Server) {}

  static async start(targetPort: number): Promise<TcpFaultProxy> {
    const server = createServer({ noDelay: true });
    const proxy = new TcpFaultProxy(server);
    server.on('connection', (client) => {
      proxy.wires = proxy.wires.filter(({ isOpen }) => isOpen);
      proxy.wires.push(new Wire(client, connect({ host: LOOPBACK, port: targetPort })));
    });
    await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  meet(fault: TcpFault): void {
    for (const wire of this.wires.filter(({ isOpen }) => isOpen)) {
      this.met[fault] += 1;
      wire.meet(fault);
    }
  }

  /** Applies a fault to a random connection, every `everyMs` on average, until `heal`. */
  disturb(random: Random, everyMs: number): void {
    this.isRough = true;
    this.disturbing ??= this.makeTrouble(random, everyMs);
  }

  /**
   * Stops injecting faults, and closes the connections to which a fault was applied, so that
   * clients reconnect.
   */
  async heal(): Promise<void> {
    this.isRough = false;
    await this.disturbing;
    this.disturbing = null;
    for (const wire of this.wires) if (wire.fault !== null) wire.break();
  }

  async end(): Promise<void> {
    await this.heal();
    for (const wire of this.wires) wire.break();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async makeTrouble(random: Random, everyMs: number): Promise<void> {
    while (this.isRough) {
      await sleep(random.int(1, 2 * everyMs));
      const open = this.wires.filter(({ isOpen, fault }) => isOpen && fault === null);
      const victim = open[random.int(0, open.length - 1)];
      const fault = FAULTS[random.int(0, FAULTS.length - 1)] ?? 'cut';
      if (victim === undefined) continue;
      this.met[fault] += 1;
      victim.meet(fault);
    }
  }
}
