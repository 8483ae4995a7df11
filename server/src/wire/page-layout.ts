import { Type } from "typebox";
import { withId } from "./id.ts";
import { usual } from "./monitor-input.ts";
import { MAX_COMPONENTS, Title } from "./page-components.ts";
import { MAX_GROUPS } from "./status-pages.ts";

const componentUuids = (description: string) =>
  Type.Array(Type.String({ format: "uuid" }), { maxItems: MAX_COMPONENTS, description });

/** What is set of a group, beside what is in it. */
export const groupFields = {
  uuid: Type.Optional(
    Type.String({ format: "uuid", description: "Of a group that is there. Absent: a new one." }),
  ),
  name: Title,
  isCollapsed: Type.Optional(
    Type.Boolean({ description: "Whether visitors open it first. Default: false.", ...usual(false) }),
  ),
};

/** PUT /api/status-pages/{id}/layout. */
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
