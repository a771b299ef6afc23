import type { FastifyInstance } from 'fastify';

interface KnownRoute {
  readonly path: RegExp;
  readonly methods: Set<string>;
}

/** Which methods an address takes: what tells a 405 from a 404. */
export class RouteTable {
  private readonly routes = new Map<string, KnownRoute>();

  /** Learns every route that is registered from now on. */
  follow(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+');
      const known = this.routes.get(url) ?? {
        path: new RegExp(`^${source.replaceAll('\\*', '.*')}$`),
        methods: new Set<string>(),
      };
      for (const each of [method].flat()) known.methods.add(each);
      this.routes.set(url, known);
    });
  }

  methodsOf(url: string): readonly string[] {
    const path = url.split('?', 1)[0] ?? '';
    const methods = new Set<string>();
    for (const route of this.routes.values()) {
      if (route.path.test(path)) for (const method of route.methods) methods.add(method);
    }
    return [...methods].sort();
  }
}
