import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { app } from "./texts.ts";

interface LoadedPage {
  texts: readonly string[];
  /** The file that the page's script begins with. */
  file: string;
}

const { pages } = vi.hoisted(() => ({ pages: [] as LoadedPage[] }));
vi.mock("../src/frame/lazy-page.ts", () => ({
  fetchPagesSoon: () => undefined,
  lazyPage: (texts: readonly string[], script: () => unknown) => {
    const file = /\(["'](?:\/web\/src|\.)\/([^"']+)["']/.exec(script.toString())?.[1] ?? "";
    pages.push({ texts, file });
    return () => null;
  },
}));
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {} }));
const { createAppRouter } = await import("../src/routes.tsx");
createAppRouter(new QueryClient());

const importOf = /^(?:import|export)\s(?!type\b)[^;]*?from\s+"(\.[^"]+)"/gm;
const usedIn = /useTranslation\((?:"([^"]+)"|\[([^\]]+)\])/g;

/** The texts that a file and everything it imports name, each with the first file that does. */
function textsUsed(file: string, seen = new Set<string>()): Map<string, string> {
  const used = new Map<string, string>();
  if (seen.has(file) || !existsSync(file)) return used;
  seen.add(file);
  const code = readFileSync(file, "utf8");
  for (const [, one, several] of code.matchAll(usedIn)) {
    for (const name of one === undefined
      ? [...(several ?? "").matchAll(/"([^"]+)"/g)].map((found) => found[1] ?? "")
      : [one])
      used.set(name, relative(app, file));
  }
  for (const [, path = ""] of code.matchAll(importOf)) {
    const found = textsUsed(join(dirname(file), path), seen);
    for (const [name, where] of found) if (!used.has(name)) used.set(name, where);
  }
  return used;
}

test("a page that is opened by itself loads all texts that its components name", () => {
  expect(pages.filter(({ file }) => !existsSync(join(app, file)) || file === "")).toEqual([]);
  expect(pages.length).toBeGreaterThan(25);
  const missing = pages.flatMap(({ file, texts }) => {
    // The settings' list, beside which their pages are, brings its own.
    const loaded = new Set(["shared", ...texts, ...(file.startsWith("settings/") ? ["settings"] : [])]);
    return [...textsUsed(join(app, file))]
      .filter(([name]) => !loaded.has(name))
      .map(([name, where]) => `${file} needs ${name} for ${where}`);
  });
  expect(missing).toEqual([]);
});
