import { hashKey } from "@tanstack/react-query";
import type { KindId } from "../kinds.ts";

/* While the reader works in a list its rows keep their places, so that none moves under the pointer. */

/** The list that is held, and its view; null: none. */
let held: string | null = null;
let lifted = 0;

const nameOf = (kind: KindId, view: object): string => hashKey([kind, view]);

/** From now on this view of the list keeps its order; undefined: no list does. */
export function holdOrder(list: { kind: KindId; view: object } | undefined): void {
  held = list ? nameOf(list.kind, list.view) : null;
}

export const isOrderHeld = (kind: KindId, view: object): boolean =>
  lifted === 0 && held === nameOf(kind, view);

/** What is read until the work is done shows the new order: the reader has requested it. */
export async function withoutHold<Result>(work: () => Promise<Result>): Promise<Result> {
  lifted += 1;
  try {
    return await work();
  } finally {
    lifted -= 1;
  }
}

interface Page<Item> {
  monitors: Item[];
  total: number;
  /** Another order, or other rows, wait until the work is done. */
  isReordered?: boolean;
}

/** A page that was read anew, in the order in which it is shown. What is no longer on it stays as it is known. */
export function inShownOrder<Item extends { id: number }>(
  shown: Page<Item> | undefined,
  fresh: Page<Item>,
): Page<Item> {
  if (!shown) return fresh;
  const isSame =
    shown.total === fresh.total && shown.monitors.every(({ id }, at) => id === fresh.monitors[at]?.id);
  if (isSame) return fresh;
  const byId = new Map(fresh.monitors.map((monitor) => [monitor.id, monitor]));
  return {
    monitors: shown.monitors.map((monitor) => byId.get(monitor.id) ?? monitor),
    total: shown.total,
    isReordered: true,
  };
}
