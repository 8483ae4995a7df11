import { type Static, Type } from "typebox";
import { MONITOR_KINDS } from "../monitor/monitor-defaults.ts";
import { COMPONENT_FIGURES, figuresOf, ofEachFigure } from "../page/contents/component-figures.ts";
import type { PageComponent } from "../store/queries/status-page-components.ts";
import { nullable, oneOf, Uuid } from "./field.ts";
import { IdText, idIn, withId } from "./id.ts";
import { optional, usual } from "./monitor-input.ts";

/** Together with the groups it bounds what one page costs to read. */
export const MAX_COMPONENTS = 200;
export const LINKED_KINDS = MONITOR_KINDS;
export type LinkedKind = (typeof LINKED_KINDS)[number];

/** What people may write. */
export const pageText = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: "^[^\\u0000]*$", description, ...usual("") });

/** What visitors read of something. */
export const Title = Type.String({
  format: "name",
  description: "1 to 255 characters; space around it does not count.",
  examples: ["Shop"],
});

const idOf = (description: string) => idIn({ description, examples: [7] });

const GroupId = Type.Unsafe<string | number | null>({
  ...idOf("The group of the page that it is in, by id or uuid; null: none."),
  type: ["string", "integer", "null"],
});

/** What may be set of a component. */
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
  ...ofEachFigure((figure) => {
    const { description, usual: isUsual } = COMPONENT_FIGURES[figure];
    return Type.Boolean({ description: `${description} Default: ${isUsual}.`, ...usual(isUsual) });
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
    ...ofEachFigure(() => Type.Boolean()),
  },
  { title: "StatusPageComponent" },
);

export type ComponentInput = Omit<Static<typeof LinkUpdate>, "id" | "linkId">;

/** A component; `isReadable`: whether its reader may know the monitor behind it. */
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
    ...figuresOf(component),
  };
}
