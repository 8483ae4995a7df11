import { describe, expect, it } from "vitest";
import { holdOrder, inShownOrder, isOrderHeld, withoutHold } from "../src/api/held-order.ts";
import { linePoints } from "../src/components/chart-data.ts";
import { fitColumns } from "../src/list/fitting.ts";
import { directionOf } from "../src/list/ListHead.tsx";
import { chipsShown } from "../src/monitors/list/TagChips.tsx";

const status = { id: "status", widthRem: 12, grows: true, rank: 0 };
const hours = { id: "hours", widthRem: 6, rank: 2 };
const response = { id: "response", widthRem: 8, rank: 1 };
const all = [status, hours, response];
const shownAt = (widthPx: number) => fitColumns(all, widthPx).columns.map(({ id }) => id);

describe("the columns of a list", () => {
  it("are as many as there is room for, those of the lowest rank first, in their own order", () => {
    expect([400, 576, 700, 800].map(shownAt)).toEqual([
      [],
      ["status"],
      ["status", "response"],
      ["status", "hours", "response"],
    ]);
  });

  it("fold into one where even the first has no room", () => {
    expect(fitColumns(all, 575)).toEqual({
      isCompact: true,
      columns: [],
      template: "minmax(0, 1fr) 2.25rem",
    });
    expect(fitColumns(all, 576).isCompact).toBe(false);
  });

  it("share what is left where they grow", () => {
    expect(fitColumns(all, 1000).template).toBe("minmax(0, 1fr) minmax(12rem, 1fr) 6rem 8rem 2.25rem");
  });

  it("leave room for long names, which take more than their share of the rest", () => {
    const fitting = fitColumns(all, 800, { leastRem: 20, shares: 2 });
    expect(fitting.columns.map(({ id }) => id)).toEqual(["status", "response"]);
    expect(fitting.template).toBe("minmax(0, 2fr) minmax(12rem, 1fr) 8rem 2.25rem");
  });

  it("give their room to others when they are left out", () => {
    const columns = fitColumns([status, hours], 700).columns;
    expect(columns.map(({ id }) => id)).toEqual(["status", "hours"]);
  });
});

it("a list is sorted by a column one way, the other, or by another", () => {
  expect([directionOf("name", "name"), directionOf("name", "-name"), directionOf("name", "status")]).toEqual([
    "ascending",
    "descending",
    undefined,
  ]);
  expect(directionOf(undefined, "name")).toBeUndefined();
});

it("shows as many chips as have room whole, and keeps room for the count of the others", () => {
  const chips = [60, 40, 50];
  expect([0, 59, 60, 96, 142, 161, 162].map((roomPx) => chipsShown(chips, roomPx))).toEqual([
    0, 0, 0, 1, 2, 2, 3,
  ]);
  expect([chipsShown([60], 59), chipsShown([60], 60), chipsShown([], 0)]).toEqual([0, 1, 0]);
});

describe("a line of response times", () => {
  const size = { width: 23, height: 13 };

  it("reaches from one edge to the other, and from 0 to the largest value", () => {
    expect(linePoints([0, 50, 100], size)).toEqual(["1.5,11.5 11.5,6.5 21.5,1.5"]);
  });

  it("is broken where there was no passed check", () => {
    expect(linePoints([100, 100, null, 50, 100], size)).toEqual(["1.5,1.5 6.5,1.5", "16.5,6.5 21.5,1.5"]);
  });

  it("shows a value without neighbours", () => {
    expect(linePoints([null, 100, null], size)).toEqual(["11.5,1.5 11.5,1.5"]);
  });

  it("is nothing without values, and lies at the bottom where all are 0", () => {
    expect(linePoints([null, null], size)).toEqual([]);
    expect(linePoints([0, 0], size)).toEqual(["1.5,11.5 21.5,11.5"]);
  });
});

describe("a list that keeps its order", () => {
  const page = (...ids: number[]) => ({
    monitors: ids.map((id) => ({ id, read: "now" })),
    total: ids.length,
  });
  const before = { monitors: [1, 2, 3].map((id) => ({ id, read: "before" })), total: 3 };

  it("takes what was read anew into its places, keeps what left them, and says that another order waits", () => {
    expect(inShownOrder(before, page(3, 1, 2))).toEqual({ ...page(1, 2, 3), isReordered: true });
    expect(inShownOrder(before, page(4, 1, 2))).toEqual({
      monitors: [
        { id: 1, read: "now" },
        { id: 2, read: "now" },
        { id: 3, read: "before" },
      ],
      total: 3,
      isReordered: true,
    });
    expect(inShownOrder(before, page(1, 2, 3, 4)).isReordered).toBe(true);
  });

  it("has nothing waiting where the order is the same, or nothing was shown", () => {
    expect(inShownOrder(before, page(1, 2, 3))).toEqual(page(1, 2, 3));
    expect(inShownOrder(undefined, page(3, 1))).toEqual(page(3, 1));
  });

  it("is one view of one kind, until it is let go, and not while an order was requested", async () => {
    const view = { search: "", sort: "status" };
    holdOrder({ kind: "domain", view });
    expect(isOrderHeld("domain", { ...view })).toBe(true);
    expect(isOrderHeld("service", view)).toBe(false);
    expect(isOrderHeld("domain", { ...view, sort: "name" })).toBe(false);
    expect(await withoutHold(async () => isOrderHeld("domain", view))).toBe(false);
    expect(isOrderHeld("domain", view)).toBe(true);
    holdOrder(undefined);
    expect(isOrderHeld("domain", view)).toBe(false);
  });
});
