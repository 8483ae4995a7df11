import { expect, test } from "vitest";
import { html } from "../../../src/platform/formats/html.ts";
import { markdown } from "../../../src/platform/formats/markdown.ts";
import type { PageComponent } from "../../../src/status-pages/queries/status-page-components.ts";
import { commonDetails } from "../../../src/status-pages/update/draft-update.ts";
import { fillTemplate, unknownPlaceholder } from "../../../src/status-pages/update/template-text.ts";

const VALUES = { components: "Shop", status: "Open", since: "06:54", page: "Status", minutes: "30" };
const text = (message: string, title = "") => ({ language: "en", title, message }) as const;

test.each([
  ["{components} since {since}", "Shop since 06:54"],
  ["{nothing} {} { components }", "{nothing} {} { components }"],
  ["**{components}**: {status}", "**Shop**: Open"],
])("%j becomes %j", (message, filled) => {
  expect(fillTemplate(text(message), VALUES)).toBe(filled);
});

test("what is filled in makes it no longer than an update can be", () => {
  const components = Array.from({ length: 200 }, (_, n) => `${"*".repeat(250)}${n}`).join(", ");
  const filled = fillTemplate(text("{components}".repeat(333), "{components}"), { ...VALUES, components });
  expect(filled).toHaveLength(10_000);
  expect(filled).toMatch(/…$/);
  const own = "x".repeat(10_000);
  expect(fillTemplate(text(own), VALUES)).toBe(own);
});

test("a title is above it, in bold", () => {
  expect(fillTemplate(text("We wait.", " {page} "), VALUES)).toBe("**Status**\n\nWe wait.");
});

test.each(["*Shop*", "_a_", "[x](y)", "<b>", "`a`", "{since}", "a\n\n# b", "a_b\\", "![x](y)"])(
  "the name %j marks nothing, and fills in nothing",
  (components) => {
    const shown = html`${markdown(fillTemplate(text("At {components}!"), { ...VALUES, components }))}`.text;
    expect(shown).toBe(html`<p>At ${components.replace(/\s+/g, " ")}!</p>`.text);
  },
);

test.each(["1. Shop", "12) Shop", "- Shop", "+ Shop", "# Shop", "###### Shop", "---", "===", "=", " - Shop"])(
  "nor does the name %j where a line begins with it",
  (components) => {
    const shown = (message: string, name: string) =>
      html`${markdown(fillTemplate(text(message), { ...VALUES, components: name }))}`.text;
    for (const message of [
      "{components} is down",
      "Down:\n{components}",
      "> {components} is down",
      "- {components}",
    ]) {
      expect(shown(message, components)).toBe(shown(message, "NAME").replace("NAME", components.trim()));
    }
    expect(fillTemplate(text("At {components}"), { ...VALUES, components })).toBe(`At ${components}`);
  },
);

test.each([
  ["{components} {since}", undefined],
  ["{components} {Since}", "Since"],
  ["{host}", "host"],
  ['{"a": 1} {1}', undefined],
])("of %j %j is unknown", (message, name) => {
  expect(unknownPlaceholder(message)).toBe(name);
});

test("a draft for several pages says what all of them show under one name, and no earlier time than they know", () => {
  const on = (...names: [monitorId: number, displayName: string][]) =>
    names.map(([monitorId, displayName]) => ({ monitorId, displayName }) as PageComponent);
  const outage = (monitorId: number, outageStartedAt: number | null) => ({
    ...{ incidentId: 1, monitorId, name: "inside", outageStartedAt, outageEndedAt: null, offline: null },
  });
  const affected = [outage(1, 20), outage(2, 10), outage(3, null)];
  const incident = { automatic: true, startedAt: 5 };
  const details = (...pages: PageComponent[][]) => commonDetails(incident, affected, pages);
  expect(details(on([1, "Shop"], [2, "Search"]))).toEqual({ names: ["Shop", "Search"], since: 10 });
  expect(details(on([1, "Shop"], [2, "Search"]), on([1, "Shop"]))).toEqual({ names: ["Shop"], since: 20 });
  expect(details(on([2, "Search"]), on([2, "Find"]))).toEqual({ names: [], since: 10 });
  expect(details(on([2, "Search"]), on([1, "Shop"]))).toEqual({ names: [], since: 20 });
  expect(details(on([3, "Mail"]))).toEqual({ names: ["Mail"], since: 5 });
  expect(details()).toEqual({ names: [], since: 5 });
});
