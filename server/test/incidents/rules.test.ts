import { describe, expect, it } from "vitest";
import { changeAffected } from "../../src/incidents/affected.ts";
import { moveProblem } from "../../src/incidents/update-incident.ts";
import { INCIDENT_STATUSES } from "../../src/platform/monitor-defaults.ts";

describe("where people may move an incident", () => {
  it.each([
    ["open", ["open", "investigating", "identified", "monitoring", "resolved"]],
    ["investigating", ["investigating", "identified", "monitoring", "resolved"]],
    ["identified", ["investigating", "identified", "monitoring", "resolved"]],
    ["monitoring", ["investigating", "identified", "monitoring", "resolved"]],
    ["resolved", ["resolved"]],
  ] as const)("from %s: %j", (from, allowed) => {
    expect(INCIDENT_STATUSES.filter((to) => moveProblem(from, to) === null)).toEqual(allowed);
  });

  it("says that one has to be reopened, or has begun", () => {
    expect(moveProblem("resolved", "open")?.code).toBe("incident.is_resolved");
    expect(moveProblem("identified", "open")?.code).toBe("incident.has_begun");
  });
});

describe("what an incident affects after a change", () => {
  const shop = { monitorId: 1, name: "Shop, as it was", outageStartedAt: null };
  const down = { monitorId: 2, name: "API", outageStartedAt: 5 };
  const office = { monitorId: null, name: "Office" };
  const known = [shop, down, office];
  const monitor = (monitorId: number, name: string) => ({ monitorId, name });

  it.each([
    ["nothing is said", {}, [shop, down, office]],
    ["what was read is sent back", { names: ["Shop, as it was", "API", "Office"] }, [shop, down, office]],
    ["a monitor keeps its name", { monitors: [monitor(1, "Shop")] }, [shop, down, office]],
    [
      "another comes",
      { monitors: [monitor(1, "Shop"), monitor(3, "Blog")] },
      [shop, down, office, monitor(3, "Blog")],
    ],
    ["all others leave, but what is down", { monitors: [], names: [] }, [down]],
    [
      "a name is a monitor's",
      { monitors: [monitor(3, "Blog")], names: ["Blog"] },
      [down, monitor(3, "Blog")],
    ],
    ["a name comes twice", { names: ["Gym", "Gym"] }, [down, { monitorId: null, name: "Gym" }]],
  ])("%s", (_, change, expected) => {
    const { added, removed } = changeAffected(known, change);
    expect([...known.filter((one) => !removed.includes(one)), ...added]).toEqual(expected);
  });
});
