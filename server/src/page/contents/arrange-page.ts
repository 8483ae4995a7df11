import { type FieldErrors, invalidInput } from "../../errors.ts";
import {
  listComponents,
  listGroups,
  placeComponents,
  saveGroups,
} from "../../store/queries/status-page-components.ts";
import { fact } from "../../texts/fact.ts";
import { verb } from "../../verb/verb.ts";
import { LayoutInput, StatusPage } from "../../wire/status-pages.ts";
import { findPageMeant, rereadPage, showPage } from "../found-page.ts";
import { pageChanged } from "../page-changed.ts";
import { arrangementProblems, placesOf } from "./arrangement.ts";
import { plannedGroup } from "./planned.ts";

/** Sets groups, and in which order everything stands, at once. Throws 404, and 422 for what the page does not have. */
export const arrangePage = verb({
  resource: "status-pages",
  feature: "team",
  action: "write",
  audit: "arrange page",
  input: LayoutInput,
  output: StatusPage,
  find: findPageMeant,
  async run(ctx, { components: alone = [], groups }, found) {
    const { db } = ctx;
    const page = await rereadPage(ctx, found);
    const known = {
      components: await listComponents(db, [page.id]),
      groups: await listGroups(db, [page.id]),
    };
    const arrangement = { components: alone.map(lower), groups: groups.map(inLowerCase) };
    assertPossible(arrangementProblems(arrangement, known));
    const groupOf = new Map(known.groups.map((group) => [group.uuid, group]));
    const wanted = arrangement.groups.map((group) => plannedGroup(group, groupOf.get(group.uuid ?? "")));
    const saved = await saveGroups(db, page, wanted);
    const groupIds = wanted.map(({ uuid }) => saved.get(uuid) as number);
    await placeComponents(db, placesOf(arrangement, known.components, groupIds));
    await pageChanged(ctx, page);
    return showPage(ctx, page);
  },
});

/** Uuids are compared as they are stored. */
const lower = (uuid: string): string => uuid.toLowerCase();
const inLowerCase = <G extends { uuid?: string; components: string[] }>(group: G): G => ({
  ...group,
  ...(group.uuid !== undefined && { uuid: lower(group.uuid) }),
  components: group.components.map(lower),
});

function assertPossible({ components, groups }: ReturnType<typeof arrangementProblems>): void {
  const problems: FieldErrors = {};
  const ofComponents = [
    ...components.unknown.map((id) => fact("page.no_component", { id })),
    ...components.doubled.map((id) => fact("page.component_twice", { id })),
  ];
  const ofGroups = [
    ...groups.unknown.map((id) => fact("page.no_group", { id })),
    ...groups.doubled.map((id) => fact("page.group_twice", { id })),
  ];
  if (ofComponents.length > 0) problems["components"] = ofComponents;
  if (ofGroups.length > 0) problems["groups"] = ofGroups;
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
}
