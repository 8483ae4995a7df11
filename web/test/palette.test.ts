import { describe, expect, test } from "vitest";
import { addressIn, fitOf, fits } from "../src/frame/palette/items.ts";
import { monitorAt } from "../src/frame/palette/palette-state.ts";

const fit = (typed: string, name: string, also: string[] = []) => {
  const place = fitOf(typed, name, also);
  return place === null ? null : fits[place];
};

describe("a line of the palette fits what was typed", () => {
  test.each([
    ["domains", "Domains", "whole"],
    ["Dom", "Domains", "start"],
    ["light", "Theme: light", "word"],
    ["ys", "API keys", "part"],
    ["keys  api", "API keys", "apart"],
    ["ÜBER", "Übersicht", "start"],
    ["密钥", "API 密钥", "word"],
    ["shop", "Bishop shop", "word"],
    ["domains x", "Domains", null],
  ])("%j and %j: %s", (typed, name, expected) => {
    expect(fit(typed, name)).toBe(expected);
  });

  test("also by a word that is not shown", () => {
    expect(fit("sign out", "Abmelden", ["Sign out"])).toBe("apart");
    expect(fit("sign abmelden", "Abmelden", ["Sign out"])).toBe("apart");
  });
});

test.each([
  ["example.com", true],
  [" https://example.com/a?b=1 ", true],
  ["münchen.example:8080/pfad", true],
  ["127.0.0.1:9", true],
  ["localhost:3000", true],
  ["http://intranet", true],
  ["shop", false],
  ["version 1.2", false],
  ["1.2", false],
  ["a@example.com", false],
  ["", false],
])("%j can be an address: %s", (typed, expected) => {
  expect(addressIn(typed)).toBe(expected ? typed.trim() : null);
});

test.each([
  ["/domains/42", "domain 42"],
  ["/services/7/edit", "service 7"],
  ["/domains/new", null],
  ["/domains", null],
  ["/", null],
])("the page %s is about %s", (path, expected) => {
  const shown = monitorAt(path);
  expect(shown && `${shown.kind.id} ${shown.id}`).toBe(expected);
});
