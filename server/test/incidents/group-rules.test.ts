import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Cause,
  causesOf,
  GROUP_WINDOW_MS,
  type Group,
  type Joining,
  type Placed,
  placeOutages,
} from "../../src/incidents/group-rules.ts";
import { msg } from "../../src/platform/i18n/message.ts";

type Opened = Group & { organizationId: number };
type Outage = Joining & { name: string };

const outage = (name: string, startedAt: number, ...causes: Cause[]): Outage => ({
  ...{ name, startedAt, causes, organizationId: 1 },
});
const host = (value: string): Cause => ({ kind: "host", value });
const address = (value: string): Cause => ({ kind: "address", value });
const network = (value: string): Cause => ({ kind: "network", value });

/** Names that share an incident, as they are placed. */
function together(outages: readonly Outage[], open: readonly Opened[] = []): string[] {
  const placed = placeOutages(open, outages);
  const leads = new Map<unknown, string[]>(open.map((group) => [group, ["open"]]));
  for (const one of placed) if (one.group === null) leads.set(one, [one.outage.name]);
  for (const one of placed) if (one.group !== null) leads.get(one.group)?.push(one.outage.name);
  return [...leads.values()].map((names) => names.join(""));
}

describe("which outages share an incident", () => {
  it.each<[string, Outage[], string[]]>([
    ["the same host", [outage("a", 0, host("x")), outage("b", 59_000, host("x"))], ["ab"]],
    [
      "the same host and address, failing in different ways",
      [
        outage("a", 0, { ...host("x"), failure: "status5" }, { ...address("192.0.2.1"), failure: "status5" }),
        outage(
          "b",
          1,
          { ...host("x"), failure: "certificate" },
          { ...address("192.0.2.1"), failure: "certificate" },
        ),
      ],
      ["a", "b"],
    ],
    ["another host", [outage("a", 0, host("x")), outage("b", 0, host("y"))], ["a", "b"]],
    ["more than a minute apart", [outage("a", 0, host("x")), outage("b", 60_001, host("x"))], ["a", "b"]],
    ["nothing known", [outage("a", 0), outage("b", 0)], ["a", "b"]],
    [
      "the same address under two names",
      [outage("a", 0, host("x"), address("192.0.2.1")), outage("b", 1, host("y"), address("192.0.2.1"))],
      ["ab"],
    ],
    [
      "one cause a group: who shares another with the first stays out",
      [
        outage("a", 0, host("x"), network("local")),
        outage("b", 1, host("x"), network("local")),
        outage("c", 2, host("z"), network("local")),
      ],
      ["ab", "c"],
    ],
    [
      "the most telling cause",
      [
        outage("a", 0, host("x")),
        outage("b", 1, network("local")),
        outage("c", 2, host("x"), network("local")),
      ],
      ["ac", "b"],
    ],
    [
      "a minute from the first, not from each other",
      [outage("a", 0, host("x")), outage("b", 50_000, host("x")), outage("c", 100_000, host("x"))],
      ["ab", "c"],
    ],
  ])("%s", (_, outages, expected) => {
    expect(together(outages)).toEqual(expected);
  });

  const parent = (id: number): Cause => ({ kind: "parent", value: `member ${id}`, id });
  const incident = (id: number, startedAt: number, severity: "low" | "critical" = "low"): Opened => ({
    ...{ organizationId: 1, startedAt, severity, by: null, causes: [parent(id)] },
  });
  it.each<[string, Opened[], number | null]>([
    ["the last member to go down", [incident(1, 0), incident(2, 400_000), incident(3, 300_000)], 2],
    ["also where another is more severe", [incident(1, 0, "critical"), incident(2, 60_001)], 2],
    [
      "the most severe of those that went down together",
      [incident(1, 0), incident(2, 30_000, "critical"), incident(3, 60_000)],
      2,
    ],
    ["the first of those that are as severe", [incident(2, 30_000), incident(1, 10_000)], 1],
    [
      "whatever its members share with others",
      [{ ...incident(1, 0), by: host("x"), severity: "critical" }, incident(2, 0)],
      1,
    ],
    ["none that is acknowledged", [{ ...incident(1, 0), isAcknowledged: true }], null],
    ["none that is a quarter of an hour old", [incident(1, -500_000)], null],
  ])("a group of monitors joins the incident of its member: %s", (_, open, joined) => {
    const group = { ...outage("group", 400_001, parent(1), parent(2), parent(3)), follows: true };
    for (const groups of [open, open.toReversed()]) {
      const [placed] = placeOutages(groups, [group]);
      expect((placed?.group as Opened | null)?.causes ?? null).toEqual(joined && [parent(joined)]);
    }
  });

  it("joins one that is open, but none of another organization", () => {
    const open = [{ organizationId: 1, startedAt: 0, causes: [host("x")], by: null }];
    expect(together([outage("a", 1_000, host("x"))], open)).toEqual(["opena"]);
    expect(together([{ ...outage("a", 1_000, host("x")), organizationId: 2 }], open)).toEqual(["open", "a"]);
  });

  it("keeps, for any outages, every group to one cause, one organization and one minute", () => {
    const causes = fc.array(fc.constantFrom(host("x"), host("y"), address("a"), network("n")), {
      maxLength: 3,
    });
    const outages = fc.array(
      fc.record({
        name: fc.string(),
        organizationId: fc.integer({ min: 1, max: 2 }),
        startedAt: fc.integer({ min: 0, max: 200_000 }),
        causes,
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(outages, (all) => {
        const placed = placeOutages<Opened, Outage>([], all);
        expect(placed).toHaveLength(all.length);
        const groups = Map.groupBy(
          placed.filter(({ group }) => group !== null),
          ({ group }) => group as Placed<Opened, Outage>,
        );
        for (const [lead, members] of groups) {
          expect(lead.group).toBeNull();
          const by = members[0]?.by;
          for (const { outage: own, by: its } of [...members, { ...lead, by }]) {
            expect(its).toEqual(by);
            expect(own.causes).toContainEqual(by);
            expect(own.organizationId).toBe(lead.outage.organizationId);
            expect(Math.abs(own.startedAt - lead.outage.startedAt)).toBeLessThanOrEqual(GROUP_WINDOW_MS);
          }
        }
      }),
    );
  });
});

describe("what an outage may come from", () => {
  const clues = { target: "https://Shop.example/a", address: null, reason: null, failingAt: ["local"] };
  it.each([
    [{}, ["host shop.example"]],
    [{ address: "192.0.2.7" }, ["host shop.example", "address 192.0.2.7"]],
    [{ target: "192.0.2.7:25" }, ["address 192.0.2.7"]],
    [{ target: "[2001:db8::1]:25" }, ["address 2001:db8::1"]],
    [{ target: "db.example:5432/shop" }, ["host db.example"]],
    [{ target: "example.com MX @192.0.2.53" }, ["host example.com"]],
    [{ target: "http://127.0.0.1:8080/", address: "127.0.0.1" }, []],
    [{ target: "http://localhost/", address: "::1" }, []],
    [{ reason: msg("unreachable.network", { where: "x" }) }, ["host shop.example", "network local"]],
    [{ reason: msg("timeout.dns", { where: "x", seconds: "3" }) }, ["host shop.example", "network local"]],
    [{ reason: msg("unreachable.network", { where: "x" }), failingAt: ["a", "b"] }, ["host shop.example"]],
    [{ reason: msg("refused", { where: "x" }) }, ["host shop.example"]],
  ])("%j: %j", (more, expected) => {
    expect(causesOf({ ...clues, ...more }).map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected);
  });
});
