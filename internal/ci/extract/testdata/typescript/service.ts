/** The order service. */

import type { Config } from "./config";
import { Repo, type Row as DbRow } from "@/db";
import fs = require("fs");
import * as ns from "./ns";
export * as models from "./models";
export { a as b, c } from "./abc";
export type { Kind } from "./kind";

declare global {
  interface Window { app: App }
}

/**
 * An order.
 * @deprecated use something else
 */
export interface Order<T extends Base = Base> extends Entity, ns.Tagged {
  id: string;
  readonly lines?: Line[];
  total(rate: Rate): Money;
  (x: Callable): void;
}

export type Id<T> = string | Brand<T>;
type Props = { onClick: (e: Event2) => void; label: string };
export type Mapped = { [K in keyof Order]: Wrap<Order[K]> };

export enum Status {
  /** Just made. */
  New,
  Paid = "paid",
}

export const enum Flag { A = 1 << 0 }

export abstract class Service<T> extends Parent<T> implements Runnable, ns.Closable {
  private readonly cache: Map<string, Order> = new Map();
  static instance?: Service<any>;
  protected log = new Logger("x");
  handler = (e: Incoming): Outgoing => this.log.info(e);

  constructor(private readonly repo: Repo, public name: string, limit = 3) {
    super();
    this.helper = new Helper();
  }

  get size(): number { return this.repo.count(); }

  find(id: string): Order;
  find(id: number): Order;
  /** Finds an order. */
  find(id: any): Order {
    const row = this.repo.load(id);
    const order: Order = row as Order;
    order.total(getRate());
    return order;
  }

  async save(order: Order): Promise<Order | null> {
    const made = new ns.Writer<Order>();
    made.write(order!);
    return (await this.repo.put(order))?.result;
  }

  abstract close(): void;
  #hidden(): void {}
}

@Injectable({ scope: Scope.All })
export class Controller {
  @Input() name: string;

  @Get("/orders")
  list(@Query() q: Filter) { return makeService(q).find("1"); }
}

export function over(a: string): void;
export function over(a: number): void;
export function over(a: any) { helper(a); }

export const make = <T,>(config: Config): Service<T> => create<T>(config);
export const table = { open(row: DbRow) {}, close: async () => {} } as const;

export namespace Geo.Shapes {
  export class Circle { radius = 1 }
  function hidden() {}
}

declare module "plugin" {
  export function register(p: Plugin): void;
}

function isOrder(x: unknown): x is Order { return x instanceof Controller; }

const internal = 1;
export { internal as renamed, isOrder };
export = make;
