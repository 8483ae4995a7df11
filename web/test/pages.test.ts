import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test, vi } from "vitest";
import { barePages } from "../../e2e/harness/bare-pages.ts";
import { apart, appPages } from "../../e2e/harness/pages.ts";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {} }));
const { createAppRouter } = await import("../src/routes.tsx");
const { entries } = await import("../src/frame/entries.ts");
const { settingsEntriesOf } = await import("../src/settings/entries.ts");

const walked = [...appPages, ...barePages].map(({ path }) => path);

describe("the walk through every page (e2e/harness/*-pages.ts)", () => {
  test("has a row for each route, and none for others", () => {
    const routes = Object.keys(createAppRouter(new QueryClient()).routesByPath);
    expect([...walked, ...apart].toSorted()).toEqual(routes.toSorted());
  });

  test("knows every page that the frame and the settings lead to", () => {
    const led = [...entries, ...settingsEntriesOf("owner")].map(({ path }) => path);
    expect(led.filter((path) => !walked.includes(path))).toEqual([]);
  });
});
