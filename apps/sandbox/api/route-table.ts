import type { FastifyInstance } from 'fastify';

interface KnownRoute {
  readonly path: RegExp;
  /** Letters without a parameter: of two matching routes the longer is meant, as `:id.pdf` is. */
  readonly literal: number;
  readonly methods: Set<string>;
}

/** The methods of an address: they distinguish a 405 from a 404. */
export class RouteTable {
  private readonly routes = new Map<string, KnownRoute>();

  /** Records every route registered from now on. */
  follow(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+');
      const known = this.routes.get(url) ?? {
        path: new RegExp(`^${source.replaceAll('\\*', '.*')}$`),
        literal: url.replace(/:[A-Za-z]+|\*/g, '').length,
        methods: new Set<string>(),
      };
      for (const each of [method].flat()) known.methods.add(each);
      this.routes.set(url, known);
    });
  }

  methodsOf(url: string): readonly string[] {
    const path = url.split('?', 1)[0] ?? '';
    const matching = [...this.routes.values()].filter((route) => route.path.test(path));
    const literal = Math.max(...matching.map((route) => route.literal));
    const meant = matching.filter((route) => route.literal === literal);
    return [...new Set(meant.flatMap(({ methods }) => [...methods]))].sort();
  }

  /**
   * Whether the path matched as `route` is a file with a route of its own, such as `:id.pdf`: the
   * router reads the file's name as an id where the method is not the file's.
   */
  isFile(route: string, id: string): boolean {
    const suffix = /\.[a-z]+$/.exec(id)?.[0];
    return suffix !== undefined && this.routes.has(`${route}${suffix}`);
  }
}
