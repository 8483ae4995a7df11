import { type Static, type TString, Type } from "typebox";
import { PASSWORD_LENGTH } from "../../accounts/schemas/password-length.ts";
import { optional, usual } from "../../monitors/schemas/monitor-input.ts";
import { MONITOR_KINDS } from "../../platform/monitor-defaults.ts";
import {
  IdText,
  idIn,
  nullable,
  oneOf,
  Timestamp,
  timestamp,
  Uuid,
  withId,
} from "../../platform/operations/field.ts";
import { COMPONENT_METRICS, metricsOf, ofEachMetric } from "../contents/component-metrics.ts";
import {
  ofEach,
  PAGE_SWITCHES,
  PAGE_TEXTS,
  type PageText,
  plainSettings,
  SWITCH_NAMES,
  TEXT_NAMES,
} from "../plain-settings.ts";
import type { PageDomain } from "../queries/page-domains.ts";
import type { PageComponent, PageGroup } from "../queries/status-page-components.ts";
import type { StatusPage as StoredPage } from "../queries/status-pages.ts";
import { DomainCheck, LookInput, PageLook, projectDomain, projectLook } from "./page-look.ts";

/** With the groups it bounds what a page costs to read. */
export const MAX_COMPONENTS = 200;
const LINKED_KINDS = MONITOR_KINDS;
export type LinkedKind = (typeof LINKED_KINDS)[number];

const pageText = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: "^[^\\u0000]*$", description, ...usual("") });

const Title = Type.String({
  format: "name",
  description: "1 to 255 characters; space around it does not count.",
  examples: ["Shop"],
});

const idOf = (description: string) => idIn({ description, examples: [7] });

const GroupId = Type.Unsafe<string | number | null>({
  ...idOf("The group of the page that it is in, by id or uuid; null: none."),
  type: ["string", "integer", "null"],
});

export const componentFields = {
  displayName: Type.String({
    format: "name",
    description:
      "What visitors read. Default: the monitor's name, unless that reveals what is checked: then choose one.",
    examples: ["Shop"],
  }),
  description: pageText(500, "What visitors read beside it. Default: empty."),
  groupId: GroupId,
  position: Type.Integer({
    minimum: 0,
    maximum: MAX_COMPONENTS,
    description: "Its place in its group, counted from 0. Default: the last.",
  }),
  ...ofEachMetric((metric) => {
    const { description, usual: isUsual } = COMPONENT_METRICS[metric];
    return Type.Boolean({ description: `${description} Default: ${isUsual}.`, ...usual(isUsual) });
  }),
};

/** The id in a field named after the kind. */
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

export const LinkParams = Type.Object({
  id: IdText,
  linkId: Type.String({ description: "The component's integer id or uuid.", examples: ["12"] }),
});

export const LinkUpdate = Type.Object(
  { ...LinkParams.properties, ...optional(componentFields) },
  { title: "StatusPageLinkUpdate" },
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
    ...ofEachMetric(() => Type.Boolean()),
  },
  { title: "StatusPageComponent" },
);

export type ComponentInput = Omit<Static<typeof LinkUpdate>, "id" | "linkId">;

/** `isReadable`: whether the reader may read the monitor. */
export function projectComponent(
  component: PageComponent,
  isReadable: boolean,
): Static<typeof StatusPageComponent> {
  const { id, uuid, kind, displayName, description, groupId, ...rest } = component;
  const { monitorId, monitorUuid, monitorName } = rest;
  const monitor = isReadable
    ? { monitorId, monitorUuid, monitorName }
    : { monitorId: null, monitorUuid: null, monitorName: null };
  return {
    ...{ id, uuid, kind, ...monitor, displayName, description, groupId },
    ...metricsOf(component),
  };
}

const MAX_NETWORKS = 100;

/** Beside the members of its organization. */
const pageAccess = {
  password: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      minLength: PASSWORD_LENGTH.least,
      maxLength: PASSWORD_LENGTH.most,
      format: "password",
      description: "What visitors have to know; null: nothing. It is never returned: see `hasPassword`.",
    }),
  ),
  allowedNetworks: Type.Optional(
    Type.Array(Type.String({ maxLength: 100, format: "network" }), {
      maxItems: MAX_NETWORKS,
      description:
        "Addresses and networks (CIDR) that visitors come from; for all others there is no such page. Default: [], which is everywhere.",
      examples: [["192.0.2.0/24", "2001:db8::/32"]],
      ...usual([]),
    }),
  ),
};

export const MAX_GROUPS = 50;
const texts = {
  name: Type.String({ format: "name", description: "1 to 255 characters.", examples: ["Example status"] }),
  slug: Type.String({
    format: "slug",
    description:
      "Its part of the address `/status/{slug}`: 3 to 64 of a-z, 0-9 and hyphens. It is unique in the installation; some words are reserved. Former slugs of the page redirect to it (308) until another page takes them: of the same organization at once, of others after 90 days.",
    examples: ["example"],
  }),
  description: pageText(2_000, "Plain text, for visitors to read. Default: empty."),
  timeZone: Type.String({
    format: "time-zone",
    maxLength: 64,
    description: "The time zone in which days begin and end, an IANA name. Default: UTC.",
    examples: ["Europe/Berlin"],
    ...usual(PAGE_TEXTS.timeZone.usual),
  }),
} satisfies Record<PageText, TString>;

/** Examples are for input only. */
const shownText = ({ examples }: TString & { examples?: unknown }) =>
  Type.String(examples === undefined ? {} : { examples });

const fields = {
  ...texts,
  ...ofEach(SWITCH_NAMES, (name) => {
    const { description, usual: isUsual } = PAGE_SWITCHES[name];
    return Type.Boolean({ description: `${description} Default: ${isUsual}.`, ...usual(isUsual) });
  }),
  appearance: LookInput,
  customDomain: nullable(
    Type.String({ maxLength: 253, examples: ["status.example.org"], ...usual(null) }),
    "A host name of its own, at which it is served once the DNS says so (`domain`). 409 where another page is. Null: none.",
  ),
};

export const StatusPageCreate = Type.Object(
  { ...optional(fields), ...pageAccess, name: fields.name, slug: fields.slug },
  { title: "StatusPageCreate" },
);

export const StatusPageUpdate = Type.Object(
  { ...optional(fields), ...pageAccess },
  { title: "StatusPageUpdate" },
);

export const StatusPage = Type.Object(
  {
    id: Type.Integer({ examples: [3] }),
    uuid: Uuid,
    ...ofEach(TEXT_NAMES, (name) => shownText(texts[name])),
    ...ofEach(SWITCH_NAMES, () => Type.Boolean()),
    hasPassword: Type.Boolean({ description: "Whether visitors need one." }),
    allowedNetworks: Type.Array(Type.String(), { description: "[]: from everywhere." }),
    url: nullable(
      Type.String({ examples: ["https://vedette.example.org/status/example"] }),
      "Where visitors find it; null: VEDETTE_PUBLIC_URL is not set.",
    ),
    appearance: PageLook,
    customDomain: nullable(
      Type.String({ examples: ["status.example.org"] }),
      "Null: it has none of its own.",
    ),
    domain: DomainCheck,
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

export function projectPage(
  page: StoredPage,
  shown: {
    url: string | null;
    claim: PageDomain | undefined;
    ownHost: string;
    groups: readonly PageGroup[];
    components: Static<typeof StatusPageComponent>[];
  },
): Static<typeof StatusPage> {
  const { id, uuid } = page;
  const order = [null, ...shown.groups.map((group) => group.id)];
  return {
    ...{ id, uuid, ...plainSettings(page), url: shown.url },
    ...{ hasPassword: page.passwordHash !== null, allowedNetworks: [...page.allowedNetworks] },
    appearance: projectLook(page),
    customDomain: shown.claim?.host ?? null,
    domain: projectDomain(page, shown.claim, shown.ownHost),
    groups: shown.groups.map((group) => ({
      ...{ id: group.id, uuid: group.uuid, name: group.name, isCollapsed: group.isCollapsed },
    })),
    components: shown.components.toSorted((a, b) => order.indexOf(a.groupId) - order.indexOf(b.groupId)),
    createdAt: timestamp(page.createdAt),
    updatedAt: timestamp(page.updatedAt),
  };
}

const componentUuids = (description: string) =>
  Type.Array(Type.String({ format: "uuid" }), { maxItems: MAX_COMPONENTS, description });

export const groupFields = {
  uuid: Type.Optional(
    Type.String({ format: "uuid", description: "Of a group that is there. Absent: a new one." }),
  ),
  name: Title,
  isCollapsed: Type.Optional(
    Type.Boolean({ description: "Whether visitors open it first. Default: false.", ...usual(false) }),
  ),
};

export const LayoutInput = withId(
  Type.Object(
    {
      components: Type.Optional(
        componentUuids("Those without a group, in order, by their own uuids: they come first."),
      ),
      groups: Type.Array(
        Type.Object({
          ...groupFields,
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
