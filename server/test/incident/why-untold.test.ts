import { describe, expect, test } from "vitest";
import { type FoundOutage, whyUntold } from "../../src/incident/why-untold.ts";

const AT = 1_000;
type Channel = Parameters<typeof whyUntold>[0];

const channel = (own: Partial<Channel>): Channel => ({
  ...{ enabled: true, confirmedAt: 1, createdAt: 1, updatedAt: 1, turnedOffAt: null },
  ...{ events: [], severities: [], tags: [], hours: null },
  ...own,
});
const shop: FoundOutage = {
  at: AT,
  monitor: { kind: "domain", severity: "high", tags: ["shop"], updatedAt: 1 },
};
const changed: FoundOutage = {
  at: AT,
  monitor: { kind: "domain", severity: "high", tags: ["shop"], updatedAt: AT + 1 },
};
const gone: FoundOutage = { at: AT, monitor: null };
const later: FoundOutage = {
  at: AT + 50,
  monitor: { kind: "domain", severity: "low", tags: [], updatedAt: 1 },
};

describe("why a channel was not told", () => {
  test.each<[what: string, own: Partial<Channel>, outages: FoundOutage[], why: string]>([
    ["it was off", { enabled: false, turnedOffAt: AT - 1 }, [shop], "off"],
    [
      "it was turned off since",
      { enabled: false, turnedOffAt: AT + 1, updatedAt: AT + 1 },
      [shop],
      "unknown",
    ],
    ["it was off, nobody knows since when", { enabled: false }, [shop], "off"],
    ["it is off, nobody knows since when", { enabled: false, updatedAt: AT + 1 }, [shop], "unknown"],
    ["its address is not confirmed", { confirmedAt: null }, [shop], "unconfirmed"],
    ["its address was confirmed since", { confirmedAt: AT + 1 }, [shop], "unconfirmed"],
    ["its address was confirmed between two", { confirmedAt: AT + 1 }, [shop, later], "unknown"],
    ["it was added since", { createdAt: AT + 1, updatedAt: AT + 1, tags: ["office"] }, [shop], "later"],
    ["it was added between two", { createdAt: AT + 1, severities: ["high"] }, [shop, later], "filtered"],
    ["its events leave it out", { events: ["monitor.degraded"] }, [shop], "filtered"],
    ["its events have it", { events: ["monitor.down", "monitor.up"] }, [shop], "unknown"],
    ["its severities leave it out", { severities: ["critical"] }, [shop], "filtered"],
    ["its severities have it", { severities: ["high"] }, [shop], "unknown"],
    ["its tags leave it out", { tags: ["office"] }, [shop], "filtered"],
    ["its tags leave out one of two", { tags: ["shop"] }, [shop, later], "unknown"],
    ["its filter was changed since", { tags: ["office"], updatedAt: AT + 1 }, [shop], "unknown"],
    ["the monitor's tags may have been others", { tags: ["office"] }, [changed], "unknown"],
    ["the monitor is gone", { severities: ["low"] }, [gone], "unknown"],
    ["no such event is for it, whatever the monitor", { events: ["monitor.flapping"] }, [gone], "filtered"],
    ["nothing keeps it from being told", {}, [shop], "unknown"],
  ])("%s", (_, own, outages, why) => {
    expect(whyUntold(channel(own), outages)).toBe(why);
  });
});
