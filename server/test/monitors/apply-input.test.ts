import { describe, expect, test } from "vitest";
import type { HttpConfig } from "../../src/checks/http/http-config.ts";
import { applyInput, newMonitor } from "../../src/monitors/apply-input.ts";
import type { MonitorInput } from "../../src/monitors/settings.ts";
import { PLANS } from "../../src/platform/access/plans.ts";
import { inEnglish } from "../../src/platform/i18n/english.ts";
import type { MessageDescriptor } from "../../src/platform/i18n/message.ts";

const locations = ["local", "berlin", "tokyo", "lima"].map((code, at) => ({ id: at + 1, code, name: code }));

type DomainInput = Omit<MonitorInput, "config"> & { config?: Partial<HttpConfig> };

/** A new domain on a plan. */
function create(input: DomainInput, planName: keyof typeof PLANS = "expert", known = locations) {
  const plan = PLANS[planName];
  return applyInput(
    newMonitor(plan, "domain", "http"),
    { ...input, config: { url: "https://a.test", ...input.config } },
    { kind: "domain", plan, locations: known, targets: "all" },
  );
}

const sentences = (problems: readonly MessageDescriptor[] = []): string[] => problems.map(inEnglish);

/** A change of a domain that was made with `before`. */
function change(before: DomainInput, input: DomainInput, planName: keyof typeof PLANS = "expert") {
  const plan = PLANS[planName];
  return applyInput(create(before).settings, input, { kind: "domain", plan, locations, targets: "all" });
}

describe("a new domain", () => {
  test("of which only the URL is given takes the usual settings", () => {
    expect(create({})).toEqual({
      problems: {},
      settings: {
        name: "a.test",
        type: "http",
        target: "https://a.test",
        displayTarget: "https://a.test",
        config: { url: "https://a.test" },
        intervalSeconds: 60,
        timeoutSeconds: 10,
        enabled: true,
        locations: null,
        confirmations: 2,
        recoveries: 2,
        recheckDelaySeconds: 2,
        severity: "high",
        description: "",
        objective: 0,
        objectiveDays: 30,
        parents: [],
        tags: [],
      },
    });
  });

  test("is named after its host, as typed and with its port", () => {
    expect(create({ config: { url: "https://münchen.test:8443/x?y#z" } }).settings.name).toBe(
      "münchen.test:8443",
    );
  });

  test.each([
    ["free", 300],
    ["pro", 60],
    ["expert", 60],
  ] as const)("without an interval on the %s plan is checked every %i seconds", (plan, seconds) => {
    expect(create({}, plan).settings.intervalSeconds).toBe(seconds);
  });

  test.each([
    ["free", 299, "at least 300 seconds on the free plan"],
    ["pro", 59, "at least 60 seconds on the pro plan"],
    ["expert", 9, "at least 10 seconds on the expert plan"],
  ] as const)("on the %s plan may not be checked every %i seconds", (plan, intervalSeconds, words) => {
    expect(sentences(create({ intervalSeconds }, plan).problems.checkInterval)).toEqual([
      expect.stringContaining(words),
    ]);
    expect(create({ intervalSeconds: intervalSeconds + 1 }, plan).problems).toEqual({});
  });

  test("with a short interval and no timeout gets a timeout that is shorter", () => {
    expect(create({ intervalSeconds: 10 }).settings.timeoutSeconds).toBe(9);
    expect(create({ intervalSeconds: 11 }).settings.timeoutSeconds).toBe(10);
  });

  test("needs a timeout below its interval", () => {
    const { problems } = create({ intervalSeconds: 30, timeoutSeconds: 30 });
    expect(sentences(problems.timeout)).toEqual([
      expect.stringContaining("shorter than the check interval (30 seconds)"),
    ]);
    expect(create({ intervalSeconds: 30, timeoutSeconds: 29 }).problems).toEqual({});
  });

  test("reports every field that is wrong at once", () => {
    const { problems } = create({
      name: " ",
      intervalSeconds: 5,
      timeoutSeconds: 20,
      locations: ["mars"],
      config: { url: "ftp://a.test", authType: "bearer" },
    });
    const fields = ["authConfig.token", "checkInterval", "locations", "name", "timeout", "url"];
    expect(Object.keys(problems).sort()).toEqual(fields);
  });
});

describe("a name", () => {
  test("loses the spaces around it", () => {
    expect(create({ name: "  Shop " }).settings.name).toBe("Shop");
  });

  test("may have 255 characters, whatever the script, and not one more", () => {
    expect(create({ name: "🛰".repeat(255) }).problems).toEqual({});
    expect(create({ name: "🛰".repeat(256) }).problems).toHaveProperty("name");
  });

  test("may not hold control characters", () => {
    expect(create({ name: "a\u0000b" }).problems).toHaveProperty("name");
  });
});

describe("locations", () => {
  test("are all of them where the plan does not limit them", () => {
    expect(create({}).settings.locations).toBeNull();
  });

  test("are the first ones that the plan allows when none are named", () => {
    expect(create({}, "free").settings.locations).toEqual(["local"]);
    expect(create({}, "pro").settings.locations).toEqual(["local", "berlin", "tokyo"]);
  });

  test("are all of them again, or as many as the plan allows, when an empty list is sent", () => {
    expect(change({ locations: ["lima"] }, { locations: [] }).settings.locations).toBeNull();
    expect(change({ locations: ["lima"] }, { locations: [] }, "free").settings.locations).toEqual(["local"]);
  });

  test("are left open on any plan while no location is known yet", () => {
    expect(create({}, "free", []).settings.locations).toBeNull();
  });

  test("must exist", () => {
    expect(sentences(create({ locations: ["local", "mars"] }).problems.locations)).toEqual([
      "There is no location mars. Known locations: local, berlin, tokyo, lima.",
    ]);
  });

  test("may not be more than the plan allows", () => {
    const { problems } = create({ locations: ["local", "berlin"] }, "free");
    expect(sentences(problems.locations)).toEqual([
      "The free plan checks a monitor from at most 1 location.",
    ]);
  });

  test("named twice count once", () => {
    const { settings, problems } = create({ locations: ["local", "local"] }, "free");
    expect([settings.locations, problems]).toEqual([["local"], {}]);
  });
});

describe("tags", () => {
  test("are trimmed, and the same one is stored once", () => {
    expect(create({ tags: [" shop", "shop", "eu"] }).settings.tags).toEqual(["shop", "eu"]);
  });
});

describe("a change", () => {
  test("leaves everything alone that is not sent", () => {
    const input: DomainInput = {
      name: "Shop",
      intervalSeconds: 30,
      timeoutSeconds: 5,
      locations: ["tokyo"],
      tags: ["eu"],
      config: { method: "POST" as const, headers: { Accept: "text/plain" }, body: "x" },
    };
    expect(change(input, {}).settings).toEqual(create(input).settings);
  });

  test("of another field is allowed although the plan has become too small for the rest", () => {
    const before = { intervalSeconds: 30, locations: ["local", "tokyo"] };
    const { settings, problems } = change(before, { name: "Shop" }, "free");
    expect(problems).toEqual({});
    expect(settings).toMatchObject({ name: "Shop", intervalSeconds: 30, locations: ["local", "tokyo"] });
  });

  test("of the interval below the stored timeout is refused where it was made", () => {
    const { problems } = change({ intervalSeconds: 60, timeoutSeconds: 30 }, { intervalSeconds: 20 });
    expect(Object.keys(problems)).toEqual(["checkInterval"]);
  });

  test("of the URL keeps the name", () => {
    expect(change({}, { config: { url: "https://b.test" } }).settings).toMatchObject({
      name: "a.test",
      target: "https://b.test",
    });
  });
});
