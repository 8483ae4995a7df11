import { createInstance } from "i18next";
import { describe, expect, test } from "vitest";
import type { Device } from "../src/api/devices.ts";
import { partsOf } from "../src/monitors/detail/MonitorHeader.tsx";
import { fillOf } from "../src/monitors/device/Usage.tsx";
import { textsOf } from "./texts.ts";

describe("the addresses in a description are links", () => {
  test.each<[string, [string, string | null][]]>([
    ["Nothing", [["Nothing", null]]],
    [
      "See https://wiki.test/a(b). Or http://x.test/?q=1!",
      [
        ["See ", null],
        ["https://wiki.test/a(b)", "https://wiki.test/a(b)"],
        [". Or ", null],
        ["http://x.test/?q=1", "http://x.test/?q=1"],
        ["!", null],
      ],
    ],
    [
      "(https://wiki.test)",
      [
        ["(", null],
        ["https://wiki.test", "https://wiki.test/"],
        [")", null],
      ],
    ],
    [
      "参见https://wiki.test/页。",
      [
        ["参见", null],
        ["https://wiki.test/页", "https://wiki.test/%E9%A1%B5"],
        ["。", null],
      ],
    ],
    [
      "javascript:alert(1) data:text/html,x https://",
      [["javascript:alert(1) data:text/html,x https://", null]],
    ],
    [
      "<a href=https://evil.test>x",
      [
        ["<a href=", null],
        ["https://evil.test", "https://evil.test/"],
        [">x", null],
      ],
    ],
  ])("%s", (text, expected) => {
    expect(partsOf(text).map(({ part, href }) => [part, href])).toEqual(expected);
  });
});

describe("a device that is not healthy", () => {
  const problem = (measure: string, level: string) => ({ code: `health.${measure}`, params: { level } });
  const reason = {
    ...problem("disk", "critical"),
    also: [problem("memory", "critical"), problem("disk", "warning"), problem("cpu", "warning")],
  };
  const device = (state: string) => ({ state, lastReasonFact: reason }) as unknown as Device;

  test("shows each of its problems in its bar, by the level", () => {
    const fills = (state: string) =>
      (["disk", "memory", "cpu"] as const).map((measure) => fillOf(device(state), measure));
    expect(fills("degraded")).toEqual(["bg-down", "bg-down", "bg-warn"]);
    expect(fills("up")).toEqual(["bg-series", "bg-series", "bg-series"]);
  });

  test.each([
    ["en", "Critical", "Not healthy"],
    ["de", "Kritisch", "Warnung"],
    ["zh", "状况严重", "状况不佳"],
  ] as const)("is called critical in %s where it is", async (lng, critical, warning) => {
    const i18n = createInstance();
    await i18n.init({
      lng,
      resources: { [lng]: { device: textsOf("monitors/device", lng) } },
      defaultNS: "device",
    });
    const say = i18n.t as (key: string, values: object) => string;
    const word = (context: string) => say("own.agent.status.degraded", { context });
    expect([word("critical"), word("warning")]).toEqual([critical, warning]);
  });
});
