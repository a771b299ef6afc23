import type { Schema } from './route.js';

/** The named schemas, and references to them. */
export class Components {
  private readonly names: ReadonlyMap<unknown, string>;

  constructor(private readonly named: Readonly<Record<string, Schema>>) {
    this.names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
  }

  /** Converts a schema for the OpenAPI document: named schemas become references. */
  write(schema: unknown): unknown {
    const name = this.names.get(schema);
    return name === undefined ? this.writeInside(schema) : { $ref: `#/components/schemas/${name}` };
  }

  /** `components.schemas`. */
  schemas(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      Object.entries(this.named).map(([name, schema]) => [name, this.writeInside(schema)]),
    );
  }

  private writeInside(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item: unknown) => this.write(item));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.write(value)]));
  }
}
