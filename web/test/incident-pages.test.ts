import { expect, test } from "vitest";
import { choosePage, chosenPages, type IncidentPage } from "../src/api/incident-pages.ts";

const pageOf = (uuid: string): IncidentPage => ({
  ...{ uuid, name: uuid, slug: uuid, isPublic: true, status: "outage", components: ["Shop"] },
});
const pages = ["a", "b"].map(pageOf);

test("an update is for every page, also for one that comes later, until somebody chooses", () => {
  expect(chosenPages([...pages, pageOf("c")], null)).toHaveLength(3);
  const one = choosePage(pages, null, { uuid: "b", on: false });
  expect(one).toEqual(["a"]);
  expect(chosenPages([...pages, pageOf("c")], one)).toEqual([pages[0]]);
});

test("with the last tick it is for every page again, and without any for none", () => {
  expect(choosePage(pages, ["a"], { uuid: "b", on: true })).toBeNull();
  expect(choosePage(pages, ["a"], { uuid: "a", on: false })).toEqual([]);
});

test("a page that nobody could see to be chosen leaves a choice as soon as that is changed", () => {
  expect(choosePage(pages, ["gone", "a"], { uuid: "a", on: false })).toEqual([]);
  expect(choosePage(pages, ["gone"], { uuid: "a", on: true })).toEqual(["a"]);
});
