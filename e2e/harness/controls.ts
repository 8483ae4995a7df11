import type { Locator, Page } from "playwright-core";
import { eventually } from "../../server/test/harness/eventually.ts";
import { type Role, roles } from "./company.ts";
import type { AppPage, Controls } from "./page-shapes.ts";

const control =
  /^\s*- '?(button|link|textbox|combobox|checkbox|searchbox|switch|spinbutton|radio|menuitem|menuitemradio|tab)\b(?: "((?:[^"\\]|\\.)*)")?/;

/** What can be operated in this part of the page, as `button Add`, each once. */
export async function controlsOf(part: Locator): Promise<string[]> {
  const lines = (await part.ariaSnapshot()).split("\n").map((line) => control.exec(line));
  return [...new Set(lines.flatMap((found) => (found ? [`${found[1]} ${found[2] ?? ""}`.trim()] : [])))];
}

const fits = (name: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "s").test(name);

/** What a role finds there too much or too little, each as a line. */
export function differences(found: readonly string[], expected: Controls, role: Role): string[] {
  const patterns = roles.slice(roles.indexOf(role)).flatMap((one) => expected[one] ?? []);
  return [
    ...found
      .filter((name) => !patterns.some((pattern) => fits(name, pattern)))
      .map((name) => `has “${name}”, which is not expected`),
    ...patterns
      .filter((pattern) => !found.some((name) => fits(name, pattern)))
      .map((pattern) => `lacks “${pattern}”`),
  ];
}

/** What is still wrong a moment after the page has come: some of it comes later than the rest. */
export async function onceStable(look: () => Promise<string[]>): Promise<string[]> {
  return eventually(look, (faults) => faults.length === 0, 5_000, 100).catch(look);
}

/** Whether a role is this one or a higher one. */
export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) <= roles.indexOf(least);

/** Waits until what `ready` names is there: `heading: Domains`. */
export async function waitFor(page: Page, ready: string): Promise<void> {
  const [kind, name = ""] = ready.split(/: (.*)/s);
  await page
    .getByRole(kind as "heading", { name, exact: true })
    .first()
    .waitFor();
}

/** Goes to a page of the app from another one, as its links do: without loading the app anew. */
export async function goOn(page: Page, path: string): Promise<void> {
  if (page.url() === "about:blank") await page.goto(path);
  else await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
}

/** Waits until the page is there as this role sees it: itself, or why not. */
export async function waitForPage(
  page: Page,
  { ready, least = "viewer" }: AppPage,
  role: Role,
): Promise<void> {
  await waitFor(page, isAtLeast(role, least) ? ready : "heading: You may not see this");
}
