import type { FastifyInstance } from 'fastify';

interface KnownRoute {
  readonly path: RegExp;
  /**
   * The number of characters of a route outside its parameters. When two routes match, e.g. `:id`
   * and `:id.pdf`, the route with the higher number applies.
   */
  readonly literal: number;
  readonly methods: Set<string>;
}

/** The methods of each path, to distinguish 405 (method not supported) from 404 (unknown path). */
export class RouteTable {
  private readonly routes = new Map<string, KnownRoute>();

  /** Records every route that is registered from now on. */
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
   * Whether a path that the router matched as `route` belongs to a file route such as `:id.pdf`.
   * The router falls back to `:id` for a method that the file route does not have.
   */
  isFile(route: string, id: string): boolean {
    const suffix = /\.[a-z]+$/.exec(id)?.[0];
    return suffix !== undefined && this.routes.has(`${route}${suffix}`);
  }
}
