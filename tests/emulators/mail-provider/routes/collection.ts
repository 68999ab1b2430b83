import { Refusal } from "../http/reply";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Row = { id: string } & { [key: string]: Json };

/** Rows of one kind with ids that count upwards; ids are text, as most of the provider's are. */
export class Collection {
  readonly #rows = new Map<string, Row>();

  /** @param noun used in the refusal, e.g. `Campaign` */
  constructor(
    readonly noun: string,
    private nextId: number,
  ) {}

  add(values: { [key: string]: Json }): Row {
    const row: Row = { ...values, id: String(this.nextId++) };
    const ordered: Row = { id: row.id, ...values };
    this.#rows.set(row.id, ordered);
    return ordered;
  }

  list(): Row[] {
    return [...this.#rows.values()];
  }

  find(id: string): Row | null {
    return this.#rows.get(id) ?? null;
  }

  /** @throws Refusal 404 */
  require(id: string): Row {
    const row = this.#rows.get(id);
    if (!row) throw new Refusal(404, `${this.noun} not found`);
    return row;
  }

  /** @throws Refusal 404 */
  remove(id: string): void {
    this.require(id);
    this.#rows.delete(id);
  }
}
