import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../src/platform/i18n/render.ts";
import { hostilePage, rendered, textAt } from "./machine-renderings.ts";
import { publicPage, SCENES } from "./public-pages.ts";

describe("the widget of a status page", () => {
  test("says the status of the page and what is open, and leads there", () => {
    const text = textAt(SCENES.outage(), "/widget");
    expect(text).toContain("<strong>Partial outage</strong>");
    expect(text).toContain("<span>Payments fail</span>");
    expect(text).toContain('href="https://status.northwind.test" target="_blank" rel="noopener"');
    expect(textAt(SCENES.maintenance(), "/widget")).toContain("<span>New search servers</span>");
    expect(textAt(SCENES.green(), "/widget")).toContain("<span>Northwind</span>");
  });

  test("keeps the language that was chosen, also in its link", () => {
    const text = textAt(SCENES.green(), "/widget", { language: "de", isChosen: true });
    expect(text).toContain('<html lang="de"');
    expect(text).toContain('href="https://status.northwind.test?lang=de"');
  });

  test("has the page's theme, or the one that is requested", () => {
    const { appearance } = publicPage();
    const page = publicPage({ appearance: { ...appearance, theme: "dark" } });
    const themeOf = (theme?: string) =>
      /data-theme="(\w+)"/.exec(textAt(page, "/widget", { query: theme ? { theme } : {} }))?.[1];
    expect([themeOf(), themeOf("light"), themeOf("auto"), themeOf("constructor")]).toEqual([
      "dark",
      "light",
      "auto",
      "dark",
    ]);
  });

  test("may have its own style and nothing else, and be on any page", () => {
    const { body, headers } = rendered(hostilePage(), "/widget")!;
    const policy = headers["content-security-policy"]!;
    const [, style] = /<style>([^]*?)<\/style>/.exec(body)!;
    expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(style!).digest("base64")}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors *");
    expect(policy).not.toContain("unsafe");
    expect(body).not.toMatch(/<script/);
  });

  test("is small: below 10 kB with its script", () => {
    for (const make of Object.values(SCENES)) {
      for (const language of LANGUAGES) {
        const sizes = ["/widget", "/widget.js"].map((path) =>
          Buffer.byteLength(textAt(make(), path, { language })),
        );
        expect(sizes[0]! + sizes[1]!).toBeLessThan(10_000);
      }
    }
  });
});
