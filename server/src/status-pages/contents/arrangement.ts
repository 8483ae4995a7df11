import type { PageComponent, PageGroup } from "../queries/status-page-components.ts";

export interface Place {
  id: number;
  groupId: number | null;
  position: number;
}

/**
 * After one component moved there, as the `at`-th or without `at` as the last. `known`: the page's places, in
 * order.
 */
export function placesAfterMove(
  known: readonly Pick<PageComponent, "id" | "groupId">[],
  moved: { id: number; groupId: number | null; at?: number | undefined },
): Place[] {
  const { id: own, groupId } = moved;
  const others = known.filter((one) => one.groupId === groupId && one.id !== own).map(({ id }) => id);
  return others
    .toSpliced(moved.at ?? others.length, 0, own)
    .map((id, position) => ({ id, groupId, position }));
}

/** Ungrouped items first, if any. Empty groups are left out. */
export function inGroups<Group extends Pick<PageGroup, "id">, Item extends { groupId: number | null }>(
  groups: readonly Group[],
  items: readonly Item[],
): { group: Group | null; items: Item[] }[] {
  const known = new Set(groups.map(({ id }) => id));
  const groupOf = ({ groupId }: Item) => (groupId !== null && known.has(groupId) ? groupId : null);
  return [null, ...groups]
    .map((group) => ({ group, items: items.filter((one) => groupOf(one) === (group?.id ?? null)) }))
    .filter((one) => one.items.length > 0);
}

export const uuidsIn = (groups: readonly { components: readonly { uuid: string }[] }[]): string[] =>
  groups.flatMap(({ components }) => components.map(({ uuid }) => uuid));

export interface Arrangement {
  components: readonly string[];
  groups: readonly { uuid?: string | undefined; components: readonly string[] }[];
}

/** Unknown and duplicate uuids. */
export function arrangementProblems(
  { components, groups }: Arrangement,
  known: { components: readonly Pick<PageComponent, "uuid">[]; groups: readonly Pick<PageGroup, "uuid">[] },
) {
  const named = [...components, ...groups.flatMap((group) => group.components)];
  const namedGroups = groups.flatMap(({ uuid }) => uuid ?? []);
  return {
    components: problemsOf(named, known.components),
    groups: problemsOf(namedGroups, known.groups),
  };
}

function problemsOf(named: readonly string[], known: readonly { uuid: string }[]) {
  const uuids = new Set(known.map(({ uuid }) => uuid));
  return {
    unknown: [...new Set(named)].filter((uuid) => !uuids.has(uuid)),
    doubled: [...new Set(named.filter((uuid, at) => named.indexOf(uuid) !== at))],
  };
}

/** Components that are not named come last, without a group. `groupIds` in the order of the groups. */
export function placesOf(
  { components, groups }: Arrangement,
  known: readonly Pick<PageComponent, "id" | "uuid">[],
  groupIds: readonly number[],
): Place[] {
  const idOf = new Map(known.map(({ id, uuid }) => [uuid, id]));
  const named = new Set([...components, ...groups.flatMap((group) => group.components)]);
  const left = known.flatMap(({ uuid }) => (named.has(uuid) ? [] : uuid));
  const lists = [
    { groupId: null, uuids: [...components, ...left] },
    ...groups.map((group, at) => ({ groupId: groupIds[at] ?? null, uuids: group.components })),
  ];
  return lists.flatMap(({ groupId, uuids }) =>
    uuids.flatMap((uuid, position) => {
      const id = idOf.get(uuid);
      return id === undefined ? [] : { id, groupId, position };
    }),
  );
}
