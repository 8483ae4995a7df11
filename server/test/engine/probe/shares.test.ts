import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shareOf } from "../../../src/engine/probe/roster.ts";

const probes = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 6 });
const monitors = fc.uniqueArray(fc.integer({ min: 1, max: 5_000_000 }), { maxLength: 200 });

const ownerOf = (live: readonly string[], ids: readonly number[]) => {
  const owners = new Map<number, string[]>(ids.map((id) => [id, []]));
  for (const probe of live) for (const id of shareOf(probe, live, ids)) owners.get(id)?.push(probe);
  return owners;
};

describe("shares of a location", () => {
  it("give every monitor to exactly one probe, whatever the order of the list", () => {
    fc.assert(
      fc.property(probes, monitors, (live, ids) => {
        const owners = ownerOf(live, ids);
        for (const list of owners.values()) expect(list).toHaveLength(1);
        expect(ownerOf([...live].reverse(), ids)).toEqual(owners);
      }),
    );
  });

  it("move only the monitors of the probe that left", () => {
    fc.assert(
      fc.property(probes, monitors, fc.nat(5), (live, ids, index) => {
        fc.pre(live.length > 1);
        const gone = live[index % live.length];
        const before = ownerOf(live, ids);
        const after = ownerOf(
          live.filter((probe) => probe !== gone),
          ids,
        );
        for (const id of ids) if (before.get(id)?.[0] !== gone) expect(after.get(id)).toEqual(before.get(id));
      }),
    );
  });

  it("are even, also what a silent probe leaves to the others", () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => index + 1);
    const live = ["0198a0de-1111-7000-8000-000000000001", "0198a0de-2222-7000-8000-000000000002", "p3", "p4"];
    const sizes = live.map((probe) => shareOf(probe, live, ids).length);
    for (const size of sizes) expect(Math.abs(size - 2_500)).toBeLessThan(250);
    const left = live.slice(1);
    for (const probe of left) {
      expect(Math.abs(shareOf(probe, left, ids).length - 3_333)).toBeLessThan(333);
    }
  });

  it("are everything for a probe that is alone", () => {
    expect(shareOf("a", ["a"], [3, 1, 2])).toEqual([3, 1, 2]);
  });
});
