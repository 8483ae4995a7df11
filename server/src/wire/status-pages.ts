import { type Static, Type } from "typebox";
import { MONITOR_KINDS } from "../monitor/monitor-defaults.ts";
import type { PageComponent, PageGroup } from "../store/queries/status-page-components.ts";
import type { StatusPage as StoredPage } from "../store/queries/status-pages.ts";
import { nullable, oneOf, Timestamp, timestamp, Uuid } from "./field.ts";
import { IdText, withId } from "./id.ts";
import { optional, usual } from "./monitor-input.ts";

/** Together with the groups it bounds what one page costs to read. */
export const MAX_COMPONENTS = 200;
const MAX_GROUPS = 50;
export const LINKED_KINDS = [...MONITOR_KINDS, "device"] as const;
export type LinkedKind = (typeof LINKED_KINDS)[number];

const text = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: "^[^\\u0000]*$", description, ...usual("") });

const Title = Type.String({
  format: "name",
  description: "1 to 255 characters; space around it does not count.",
  examples: ["Shop"],
});

/** What may be set of a page. */
const fields = {
  name: Type.String({ format: "name", description: "1 to 255 characters.", examples: ["Example status"] }),
  slug: Type.String({
    format: "slug",
    description:
      "Its part of the address `/status/{slug}`: 3 to 64 of a-z, 0-9 and hyphens. No two pages of the installation have the same; some words are reserved.",
    examples: ["example"],
  }),
  description: text(2_000, "Plain text, for visitors to read. Usually empty."),
  isPublic: Type.Boolean({
    description: "False: only members of the organization can see it. Usually true.",
    ...usual(true),
  }),
  showAutomatic: Type.Boolean({
    description:
      "Whether outages of what it shows are told of by themselves. False: only incidents of which somebody writes for visitors. Usually true.",
    ...usual(true),
  }),
  timeZone: Type.String({
    format: "time-zone",
    maxLength: 64,
    description: "By its name in the IANA database: days begin and end there. Usually UTC.",
    examples: ["Europe/Berlin"],
    ...usual("UTC"),
  }),
};

/** POST /api/status-pages. */
export const StatusPageCreate = Type.Object(
  { ...optional(fields), name: fields.name, slug: fields.slug },
  { title: "StatusPageCreate" },
);

/** PUT /api/status-pages/{id}: any subset. */
export const StatusPageUpdate = Type.Object(optional(fields), { title: "StatusPageUpdate" });

const idOf = (description: string) =>
  Type.Unsafe<string | number>({
    type: ["string", "integer"],
    minLength: 1,
    maxLength: 64,
    minimum: 1,
    description,
    examples: [7],
  });

const GroupId = Type.Unsafe<string | number | null>({
  ...idOf("The group of the page that it is in, by id or uuid; null: none."),
  type: ["string", "integer", "null"],
});

/** What may be set of a component. */
const componentFields = {
  displayName: Type.String({
    format: "name",
    description:
      "What visitors read. Usually the monitor's name, unless that tells what is checked: then choose one.",
    examples: ["Shop"],
  }),
  description: text(500, "What visitors read beside it. Usually empty."),
  groupId: GroupId,
  position: Type.Integer({
    minimum: 0,
    maximum: MAX_COMPONENTS,
    description: "Its place in its group, counted from 0. Usually the last.",
  }),
  showsUptime: Type.Boolean({
    description: "Whether visitors see its uptime of 90 days. Usually true.",
    ...usual(true),
  }),
  showsDays: Type.Boolean({
    description: "Whether they see each of the 90 days, with its outages. Usually true.",
    ...usual(true),
  }),
  showsResponseTimes: Type.Boolean({
    description: "Whether they see its response times of 24 hours. Usually false.",
    ...usual(false),
  }),
};

/** What linking one kind of thing to a page takes: its id, by the field of its name, and how it is shown. */
export const linkOf = (kind: LinkedKind) =>
  withId(
    Type.Object(
      {
        [`${kind}Id` as "linkedId"]: idOf(`The ${kind}, by id or uuid.`),
        ...optional(componentFields),
      },
      { title: `StatusPage${kind.charAt(0).toUpperCase()}${kind.slice(1)}Link` },
    ),
  );

/** A component of a page in a path. */
export const LinkParams = Type.Object({
  id: IdText,
  linkId: Type.String({ description: "The component's integer id or uuid.", examples: ["12"] }),
});

/** PUT /api/status-pages/{id}/domains/{linkId}: any subset. */
export const LinkUpdate = Type.Object(
  { ...LinkParams.properties, ...optional(componentFields) },
  { title: "StatusPageLinkUpdate" },
);

const componentUuids = (description: string) =>
  Type.Array(Type.String({ format: "uuid" }), { maxItems: MAX_COMPONENTS, description });

/** PUT /api/status-pages/{id}/layout. */
export const LayoutInput = withId(
  Type.Object(
    {
      components: Type.Optional(
        componentUuids("Those without a group, in order, by their own uuids: they come first."),
      ),
      groups: Type.Array(
        Type.Object({
          uuid: Type.Optional(
            Type.String({ format: "uuid", description: "Of a group that is there. Absent: a new one." }),
          ),
          name: Title,
          isCollapsed: Type.Optional(
            Type.Boolean({ description: "Whether visitors open it first. Usually false.", ...usual(false) }),
          ),
          components: componentUuids("Its components, in order."),
        }),
        {
          maxItems: MAX_GROUPS,
          description:
            "All groups, in order. Those that are not named are removed; components that are not named come last, without a group.",
        },
      ),
    },
    { title: "StatusPageLayout" },
  ),
);

export const StatusPageComponent = Type.Object(
  {
    id: Type.Integer({ examples: [12] }),
    uuid: Uuid,
    kind: oneOf(LINKED_KINDS),
    monitorId: nullable(Type.Integer({ examples: [7] }), "Null: one that the caller may not read."),
    monitorUuid: nullable(Uuid, "Null: as monitorId."),
    monitorName: nullable(Type.String(), "Visitors never see it. Null: as monitorId."),
    displayName: componentFields.displayName,
    description: Type.String(),
    groupId: nullable(Type.Integer({ examples: [3] }), "Null: in no group."),
    showsUptime: Type.Boolean(),
    showsDays: Type.Boolean(),
    showsResponseTimes: Type.Boolean(),
  },
  { title: "StatusPageComponent" },
);

export const StatusPage = Type.Object(
  {
    id: Type.Integer({ examples: [3] }),
    uuid: Uuid,
    name: fields.name,
    slug: Type.String({ examples: ["example"] }),
    description: Type.String(),
    isPublic: Type.Boolean(),
    showAutomatic: Type.Boolean(),
    timeZone: Type.String({ examples: ["Europe/Berlin"] }),
    url: nullable(
      Type.String({ examples: ["https://vedette.example.org/status/example"] }),
      "Where visitors find it; null: VEDETTE_PUBLIC_URL is not set.",
    ),
    groups: Type.Array(
      Type.Object({
        id: Type.Integer({ examples: [3] }),
        uuid: Uuid,
        name: Title,
        isCollapsed: Type.Boolean(),
      }),
      { description: "In order." },
    ),
    components: Type.Array(StatusPageComponent, {
      description: "In order: those without a group, then group by group.",
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: "StatusPage" },
);

export type StatusPageInput = Static<typeof StatusPageUpdate>;
export type ComponentInput = Omit<Static<typeof LinkUpdate>, "id" | "linkId">;

/** A component; `isReadable`: whether its reader may know the monitor behind it. */
export function projectComponent(
  component: PageComponent,
  isReadable: boolean,
): Static<typeof StatusPageComponent> {
  const { id, uuid, kind, displayName, description, groupId, ...rest } = component;
  const { monitorId, monitorUuid, monitorName, showsUptime, showsDays, showsResponseTimes } = rest;
  const monitor = isReadable
    ? { monitorId, monitorUuid, monitorName }
    : { monitorId: null, monitorUuid: null, monitorName: null };
  return {
    ...{ id, uuid, kind, ...monitor, displayName, description, groupId },
    ...{ showsUptime, showsDays, showsResponseTimes },
  };
}

/** A page with what it shows. */
export function projectPage(
  page: StoredPage,
  shown: {
    url: string | null;
    groups: readonly PageGroup[];
    components: Static<typeof StatusPageComponent>[];
  },
): Static<typeof StatusPage> {
  const { id, uuid, name, slug, description, isPublic, showAutomatic, timeZone } = page;
  const order = [null, ...shown.groups.map((group) => group.id)];
  return {
    ...{ id, uuid, name, slug, description, isPublic, showAutomatic, timeZone, url: shown.url },
    groups: shown.groups.map((group) => ({
      ...{ id: group.id, uuid: group.uuid, name: group.name, isCollapsed: group.isCollapsed },
    })),
    components: shown.components.toSorted((a, b) => order.indexOf(a.groupId) - order.indexOf(b.groupId)),
    createdAt: timestamp(page.createdAt),
    updatedAt: timestamp(page.updatedAt),
  };
}
