import { expect, test } from "vitest";
import {
  choosePage,
  chosenPages,
  type IncidentPage,
  pagesTelling,
  pagesToCome,
} from "../src/api/incident-pages.ts";

const pageOf = (uuid: string): IncidentPage => ({
  ...{ uuid, name: uuid, slug: uuid, isPublic: true, status: "outage", components: ["Shop"] },
  ...{ subscribers: 0, unchangedSince: null, entries: [] },
});
const pages = ["a", "b"].map(pageOf);
const before = null;

test("an update is for every page, also for one that comes later, until pages are chosen", () => {
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

test("a page that could not be seen to be chosen leaves a choice as soon as that is changed", () => {
  expect(choosePage(pages, ["gone", "a"], { uuid: "a", on: false, before })).toEqual([]);
  expect(choosePage(pages, ["gone"], { uuid: "a", on: true, before })).toEqual(["a"]);
});

const entry = (pages: string[] | null, more: object = {}) => ({
  ...{ authorId: 1 as number | null, fact: null, isOpening: false, pages },
  ...more,
});
const opening = (pages: string[] | null) =>
  entry(pages, { isOpening: true, fact: { code: "incident.reported" } });
const moved = entry(null, { fact: { code: "incident.status_set" } });
const reported = { automatic: false };
const automatic = { automatic: true };

test.each([
  ["reported on no page", reported, [opening([]), moved], []],
  ["reported on one, then on another", reported, [opening(["a"]), entry(["b", "a"])], ["a", "b"]],
  ["reported on none, then everywhere", reported, [opening([]), entry(null)], null],
  ["noted inside after it was reported", reported, [opening(["a"]), entry([])], ["a"]],
  ["found by a check", automatic, [entry(null, { authorId: null, fact: { code: "incident.outage" } })], null],
])("an update of an incident that was %s goes where it is reported already", (_, incident, log, expected) => {
  expect(pagesTelling(incident, log)).toEqual(expected);
});

test.each([
  ["is reported on every page", reported, [opening(null)], ["b", "quiet"]],
  ["is reported on none", reported, [opening([]), moved], []],
  ["was meant for one of them", reported, [opening(["a", "quiet"])], ["quiet"]],
  ["was found by a check", automatic, [], ["b"]],
  ["was found by a check, then written of", automatic, [entry(null)], ["b", "quiet"]],
])("an incident that %s comes to these pages when it affects more", (_, incident, log, expected) => {
  const later = ["a", "b", "quiet"].map((uuid) => ({ uuid, showAutomatic: uuid !== "quiet" }));
  expect(pagesToCome(incident, log, { present: [pageOf("a")], later }).map(({ uuid }) => uuid)).toEqual(
    expected,
  );
});
