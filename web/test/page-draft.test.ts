import { describe, expect, test } from "vitest";
import {
  addComponents,
  addGroup,
  changeComponent,
  moveGroupTo,
  moveTo,
  removeComponent,
  removeGroup,
  step,
  stepGroup,
} from "../src/status-pages/editor/arrange.ts";
import {
  changeOf,
  type DraftContents,
  draftOf,
  draftOver,
  newComponent,
  problemsByKey,
  rebasedDraft,
} from "../src/status-pages/editor/page-draft.ts";
import { partsWith } from "../src/status-pages/editor/use-wrong-part.ts";

const component = (uuid: string, groupId: number | null) => ({
  ...{ id: 1, uuid, kind: "domain" as const, monitorId: 7, monitorUuid: `m-${uuid}`, monitorName: uuid },
  ...{ displayName: uuid.toUpperCase(), description: "", groupId },
  ...{ showsUptime: true, showsDays: true, showsResponseTimes: false },
});

const page = {
  ...{ id: 3, uuid: "p", name: "Example", slug: "example", description: "", isPublic: true },
  ...{ showAutomatic: true, timeZone: "UTC", url: null, createdAt: "", updatedAt: "" },
  appearance: { theme: "auto", accent: null, footer: "", css: "", languages: [], logoUrl: null },
  groups: [
    { id: 1, uuid: "web", name: "Web", isCollapsed: false },
    { id: 2, uuid: "data", name: "Data", isCollapsed: true },
  ],
  components: [component("a", null), component("b", null), component("c", 1)],
} as unknown as Parameters<typeof draftOf>[0];

const draft = draftOf(page);
const keysOf = ({ components, groups }: DraftContents) =>
  [components, ...groups.map((group) => group.components)].map((own) => own.map(({ key }) => key).join(""));

describe("the draft of a status page", () => {
  test("changes nothing as long as it is not edited", () => {
    expect(changeOf(draft, page)).toEqual({});
    expect(changeOf({ ...draft, name: "State" }, page)).toEqual({ name: "State" });
    const appearance = { ...draft.appearance, accent: "#0b6e4f" };
    expect(changeOf({ ...draft, appearance }, page)).toEqual({ appearance });
    expect(changeOf(step(step(draft, "a", 1), "a", -1), page)).toEqual({});
  });

  test("leads to each part that has something to correct, in their order", () => {
    const wrong = ["wrong"];
    expect(
      partsWith({ "appearance.css": wrong, showAutomatic: wrong, "contents.components.0": wrong }),
    ).toEqual(["contents", "about", "look"]);
    expect(partsWith({ timeZone: wrong, slug: wrong })).toEqual(["about"]);
    expect(partsWith({ unchangedSince: wrong })).toEqual([]);
  });

  test("on a newer version of its page takes what others saved, and keeps what was typed", () => {
    const typed = { ...draft, description: "Shop and API" };
    const renamed = { ...page, name: "State", components: page.components.slice(1) };
    const next = rebasedDraft(typed, page, renamed);
    expect(next).toEqual({ ...draftOf(renamed), description: "Shop and API" });
    expect(next && changeOf(next, renamed)).toEqual({ description: "Shop and API" });
    const moved = step(draft, "a", 1);
    expect(rebasedDraft(moved, page, { ...page, name: "State" })).toEqual({ ...moved, name: "State" });
  });

  test("leaves it to a person where both have changed the same", () => {
    expect(rebasedDraft({ ...draft, name: "Mine" }, page, { ...page, name: "Theirs" })).toBeNull();
    const fewer = { ...page, components: page.components.slice(1) };
    expect(rebasedDraft(step(draft, "a", 1), page, fewer)).toBeNull();
  });

  test("goes over a newer version: what was taken off comes back, unless it is not known which monitor it is", () => {
    const secret = { ...component("s", null), monitorUuid: null, monitorName: null };
    const before = { ...page, components: [...page.components, secret] };
    const grown = addComponents(draftOf(before), null, [newComponent({ uuid: "m-n", name: "n.test" })]);
    // Another user took off two components and a group, and added one of the monitors again, and the new one.
    const theirs = {
      ...page,
      groups: page.groups.slice(1),
      components: [
        component("b", null),
        { ...component("c2", null), monitorUuid: "m-c" },
        component("n", null),
      ],
    } as typeof page;
    const over = draftOver(grown, theirs);
    expect(over.lost).toEqual(["S"]);
    expect(changeOf(over.draft, theirs).contents).toMatchObject({
      components: [{ monitorUuid: "m-a", displayName: "A" }, { uuid: "b" }, { uuid: "n" }],
      groups: [
        { name: "Web", components: [{ uuid: "c2", displayName: "C" }] },
        { uuid: "data", components: [] },
      ],
    });
    expect(changeOf(over.draft, theirs).contents?.groups[0]).not.toHaveProperty("uuid");
    expect(draftOver(draft, page)).toEqual({ draft, lost: [] });
  });

  test("sends everything that the page is to show as soon as a part of it is another", () => {
    const named = changeComponent(draft, "a", { displayName: "Shop" });
    const grown = addComponents(named, "data", [newComponent({ uuid: "m-d", name: "d.test" })]);
    const { contents } = changeOf(removeComponent(grown, "b"), page);
    expect(contents).toMatchObject({
      components: [{ uuid: "a", displayName: "Shop", showsUptime: true }],
      groups: [
        { uuid: "web", name: "Web", components: [{ uuid: "c" }] },
        { uuid: "data", isCollapsed: true, components: [{ monitorUuid: "m-d" }] },
      ],
    });
    expect(contents?.groups[1]?.components[0]).not.toHaveProperty("displayName");
  });

  test("moves components by steps, from list to list, and no further than the ends", () => {
    expect(keysOf(step(draft, "a", 1))).toEqual(["ba", "c", ""]);
    expect(keysOf(step(draft, "b", 1))).toEqual(["a", "bc", ""]);
    expect(keysOf(step(draft, "c", 1))).toEqual(["ab", "", "c"]);
    expect(keysOf(step(draft, "c", -1))).toEqual(["abc", "", ""]);
    expect(step(draft, "a", -1)).toBe(draft);
    expect(step(step(draft, "c", 1), "c", 1)).toEqual(step(draft, "c", 1));
  });

  test("puts a component where it was dropped, counted as the list looked before", () => {
    expect(keysOf(moveTo(draft, "a", { list: null, at: 2 }))).toEqual(["ba", "c", ""]);
    expect(keysOf(moveTo(draft, "b", { list: null, at: 0 }))).toEqual(["ba", "c", ""]);
    expect(keysOf(moveTo(draft, "a", { list: "web", at: 1 }))).toEqual(["b", "ca", ""]);
    expect(moveTo(draft, "x", { list: null, at: 0 })).toBe(draft);
  });

  test("moves, adds and removes groups; what was in one stays on the page", () => {
    const names = (one: DraftContents) => one.groups.map(({ name }) => name);
    expect(names(stepGroup(draft, "web", 1))).toEqual(["Data", "Web"]);
    expect(names(stepGroup(draft, "web", -1))).toEqual(["Web", "Data"]);
    expect(names(moveGroupTo(draft, "data", 0))).toEqual(["Data", "Web"]);
    expect(names(addGroup(draft, "new-1", "More"))).toEqual(["Web", "Data", "More"]);
    expect(keysOf(removeGroup(draft, "web"))).toEqual(["abc", ""]);
    const added = changeOf(addGroup(draft, "new-1", "More"), page);
    expect(added.contents?.groups[2]).toEqual({ name: "More", isCollapsed: false, components: [] });
  });

  test("knows of which row the API speaks, and of which of its boxes", () => {
    const errors = {
      "contents.components.1.displayName": ["Too long."],
      "contents.groups.0.components.0.uuid": ["Gone."],
      "contents.groups.1.name": ["Missing."],
      name: ["Missing."],
    };
    expect([...problemsByKey(draft, errors)]).toEqual([
      ["b", { displayName: ["Too long."] }],
      ["c", { uuid: ["Gone."] }],
      ["data", { name: ["Missing."] }],
    ]);
  });
});
