import { DOMParser, onErrorStopParsing } from "@xmldom/xmldom";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../src/platform/i18n/render.ts";
import type { MeasuredStatus, Overall, PublicPage } from "../../../src/status-pages/document/public-page.ts";
import { HOSTILE, hostilePage, rendered, textAt } from "./machine-renderings.ts";
import { component, group, NOW, publicPage, SCENES } from "./public-pages.ts";

const BADGES = ["/badge/status.svg", "/badge/uptime.svg", "/badge/response.svg"];
const [STATUS, UPTIME, RESPONSE] = BADGES as [string, string, string];

const OVERALL: Overall[] = [
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "major_outage",
  "unknown",
];
const STATUSES: MeasuredStatus[] = ["operational", "degraded", "outage", "maintenance", "unknown", "paused"];

const svgOf = (text: string) =>
  new DOMParser({ onError: onErrorStopParsing }).parseFromString(text, "text/xml").documentElement!;

/** What a badge says to those who cannot see it, which is also what it shows. */
function titleOf(page: PublicPage, path: string, options: Parameters<typeof textAt>[2] = {}): string {
  const svg = svgOf(textAt(page, path, options));
  const title = svg.getElementsByTagName("title")[0]!.textContent!;
  expect(svg.getAttribute("role")).toBe("img");
  expect(svg.getAttribute("aria-label")).toBe(title);
  return title;
}

const pageOf = (...components: Parameters<typeof component>[]) =>
  publicPage({
    groups: [
      group(
        null,
        components.map((one) => component(...one)),
      ),
    ],
  });

describe("the badges of a status page", () => {
  test("say the status of the page, in the reader's language", () => {
    const said = OVERALL.map((overall) => titleOf(publicPage({ overall }), STATUS));
    expect(new Set(said).size).toBe(OVERALL.length);
    expect(titleOf(SCENES.green(), STATUS)).toBe("Northwind: All systems operational");
    expect(titleOf(SCENES.outage(), STATUS, { language: "zh" })).toBe("Northwind: 部分服务中断");
  });

  test("say the status of one component", () => {
    const said = STATUSES.map((status) => {
      const page = pageOf(["API", { status }]);
      return titleOf(page, STATUS, { query: { component: page.groups[0]!.components[0]!.uuid } });
    });
    expect(said[0]).toBe("API: Operational");
    expect(new Set(said).size).toBe(STATUSES.length);
  });

  test("are there for the page's components only", () => {
    const other = SCENES.green().groups[0]!.components[0]!.uuid;
    for (const path of BADGES) {
      expect(rendered(SCENES.outage(), path, { query: { component: other } })).toBeNull();
      expect(rendered(SCENES.outage(), path, { query: { component: "" } })).toBeNull();
    }
  });

  test("show the mean uptime of the components whose uptime is public, never rounded up", () => {
    const page = pageOf(["A", { uptime: 99.99 }], ["B", { uptime: 100 }], ["C", { uptime: null }]);
    expect(titleOf(page, UPTIME)).toBe("uptime: 99.99%");
    expect(titleOf(pageOf(["A", { uptime: 100 }]), UPTIME, { language: "de" })).toBe(
      "Verfügbarkeit: 100\u00a0%",
    );
    expect(titleOf(pageOf(["A", { uptime: null }]), UPTIME)).toBe("uptime: Unknown");
  });

  test("say since when an uptime is measured, and only that where it is less than a day", () => {
    const DAY_MS = 86_400_000;
    const young = ["Young", { uptime: 30, measuredSince: NOW - 600_000 }] as const;
    const old = ["Old", { uptime: 99.5, measuredSince: NOW - 3 * DAY_MS }] as const;
    expect(titleOf(pageOf([...old], [...young]), UPTIME)).toBe("uptime: 99.5% since Nov 20");
    expect(titleOf(pageOf([...young]), UPTIME)).toBe("uptime: Measured since 09:20");
    expect(titleOf(pageOf([...young], ["A", { uptime: 100 }]), UPTIME)).toBe("uptime: 100%");
  });

  test("show the median of the response times that are public", () => {
    const times = (...all: (number | null)[]) => all.map((ms, at) => ({ at, ms }));
    const page = pageOf(
      ["A", { responseTimes: times(100, null, 300) }],
      ["B", { responseTimes: times(120) }],
      ["C", { responseTimes: null }],
    );
    expect(titleOf(page, RESPONSE)).toBe("response time: 120 ms");
    const [, one] = page.groups[0]!.components;
    expect(titleOf(page, RESPONSE, { query: { component: one!.uuid } })).toBe("response time: 120 ms");
    expect(titleOf(pageOf(["A", { responseTimes: times(null) }]), RESPONSE)).toBe("response time: Unknown");
  });

  test("have the label and style that are requested, of 80 characters at most", () => {
    expect(titleOf(SCENES.green(), STATUS, { query: { label: "Shop" } })).toBe(
      "Shop: All systems operational",
    );
    const long = titleOf(SCENES.green(), STATUS, { query: { label: "x".repeat(5_000) } });
    expect(long.length).toBeLessThan(120);
    const [flat, square] = ["flat", "flat-square"].map((style) =>
      textAt(SCENES.green(), STATUS, { query: { style } }),
    );
    expect(flat).not.toBe(square);
    expect(textAt(SCENES.green(), STATUS, { query: { style: "constructor" } })).toBe(flat);
  });

  test("are XML without script, whatever names and labels hold", () => {
    for (const page of [hostilePage(), SCENES.long()]) {
      for (const path of BADGES) {
        for (const language of LANGUAGES) {
          for (const style of ["flat", "flat-square", "plastic", "for-the-badge", "social"]) {
            const svg = svgOf(textAt(page, path, { language, query: { label: HOSTILE, style } }));
            expect(svg.getElementsByTagName("script")).toHaveLength(0);
            expect(svg.getElementsByTagName("a")).toHaveLength(0);
          }
        }
      }
    }
  });
});
