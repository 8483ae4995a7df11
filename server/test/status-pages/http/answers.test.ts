import { expect, test } from "vitest";
import type { CachedPage } from "../../../src/status-pages/document/cached-page.ts";
import { answerOf } from "../../../src/status-pages/http/routes.ts";
import type { Rendering } from "../../../src/status-pages/render/page-frame.ts";
import { RENDERINGS } from "../../../src/status-pages/render/renderings.ts";
import { SCENES } from "../render/public-pages.ts";

const OPTIONS = { base: "/status/northwind", language: "en", isChosen: false, isOld: false } as const;
const at = (path: string) => RENDERINGS.find((one) => one.path === path) as Rendering;
const cached = () => ({ document: SCENES.green(), freshUntil: 0, isOld: false }) as unknown as CachedPage;

test("however many badges are requested, the page is made once, and so is the badge that was requested last", () => {
  const page = cached();
  const badge = (label: string) => answerOf(page, at("/badge/status.svg"), OPTIONS, { label });
  for (let n = 0; n < 400; n += 1) badge(String(n));
  const first = answerOf(page, at(""), OPTIONS, {});
  for (let n = 0; n < 400; n += 1) badge(`other ${n}`);
  expect(answerOf(page, at(""), OPTIONS, {})).toBe(first);
  expect(badge("other 399")).toBe(badge("other 399"));
});

test("nothing is kept of what is requested with a very long query", () => {
  const page = cached();
  const badge = () => answerOf(page, at("/badge/status.svg"), OPTIONS, { label: "x".repeat(600) });
  expect(badge()).not.toBe(badge());
});
