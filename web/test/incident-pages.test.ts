import { expect, test } from "vitest";
import { choosePage, chosenPages, type IncidentPage } from "../src/api/incident-pages.ts";

const pageOf = (uuid: string): IncidentPage => ({
  ...{ uuid, name: uuid, slug: uuid, isPublic: true, status: "outage", components: ["Shop"] },
  ...{ subscribers: 0, unchangedSince: null, entries: [] },
});
const pages = ["a", "b"].map(pageOf);
const before = null;

test("an update is for every page, also for one that comes later, until somebody chooses", () => {
  expect(chosenPages([...pages, pageOf("c")], null)).toHaveLength(3);
  const one = choosePage(pages, null, { uuid: "b", on: false, before });
  expect(one).toEqual(["a"]);
  expect(chosenPages([...pages, pageOf("c")], one)).toEqual([pages[0]]);
});

test("with the last tick it is for every page again, and without any for none", () => {
  expect(choosePage(pages, ["a"], { uuid: "b", on: true, before })).toBeNull();
  expect(choosePage(pages, ["a"], { uuid: "a", on: false, before })).toEqual([]);
});

test("what was for some pages alone comes to no later one, however they are cleared and ticked", () => {
  const only = { uuid: "a", before: ["a"] };
  const cleared = choosePage([pageOf("a")], ["a"], { ...only, on: false });
  expect(choosePage([pageOf("a")], cleared, { ...only, on: true })).toEqual(["a"]);
});

test("a page that nobody could see to be chosen leaves a choice as soon as that is changed", () => {
  expect(choosePage(pages, ["gone", "a"], { uuid: "a", on: false, before })).toEqual([]);
  expect(choosePage(pages, ["gone"], { uuid: "a", on: true, before })).toEqual(["a"]);
});
