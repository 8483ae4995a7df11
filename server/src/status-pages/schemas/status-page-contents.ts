import { type Static, Type } from "typebox";
import { optional } from "../../monitors/schemas/monitor-input.ts";
import { SparklinesQuery } from "../../monitors/schemas/monitor-stats.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import { oneOf, Uuid, withId } from "../../platform/operations/field.ts";
import { PageQuery } from "../../platform/operations/paging.ts";
import { PageLook } from "./page-look.ts";
import {
  componentFields,
  groupFields,
  MAX_COMPONENTS,
  MAX_GROUPS,
  StatusPageUpdate,
} from "./status-pages.ts";

const { groupId: _, position: __, ...shownFields } = componentFields;

const ContentsComponent = Type.Object({
  uuid: Type.Optional(
    Type.String({ format: "uuid", description: "Of a component that is there. Absent: a new one." }),
  ),
  monitorUuid: Type.Optional(
    Type.String({ format: "uuid", description: "The domain, service or device of a new one." }),
  ),
  ...optional(shownFields),
});

const components = (description: string) =>
  Type.Array(ContentsComponent, { maxItems: MAX_COMPONENTS, description });

export const PageContents = Type.Object(
  {
    components: components("Those without a group, in order: they come first."),
    groups: Type.Array(
      Type.Object({
        ...groupFields,
        components: components("Its components, in order."),
      }),
      { maxItems: MAX_GROUPS, description: "All groups, in order." },
    ),
  },
  {
    description:
      "All that the page shows, in order. Components and groups that you do not list are removed; a component that is already there keeps what you do not send.",
  },
);

export const StatusPageChange = Type.Object(
  {
    ...StatusPageUpdate.properties,
    contents: Type.Optional(PageContents),
    unchangedSince: Type.Optional(
      Type.String({
        format: "date-time",
        description: "`updatedAt` of the version that this changes: 409 where the page has changed since.",
        examples: ["2026-11-21T09:30:00.000Z"],
      }),
    ),
  },
  { title: "StatusPageUpdate" },
);

const { unchangedSince: ___, ...draftFields } = StatusPageChange.properties;

export const PreviewInput = withId(
  Type.Object(
    {
      ...draftFields,
      language: Type.Optional(oneOf(LANGUAGES, { description: "Default: the page's first." })),
      theme: Type.Optional(
        oneOf(["light", "dark"], { description: "What the visitor's system prefers. Default: unknown." }),
      ),
    },
    { title: "StatusPagePreviewInput" },
  ),
);

export const PagePreview = Type.Object(
  {
    html: Type.String({
      description:
        "The whole document, with the page's own security policy in its head: show it in a frame that runs no scripts.",
      examples: ['<!DOCTYPE html>\n<html lang="en">…</html>'],
    }),
    contrast: PageLook.properties.contrast,
    revealing: Type.Array(Uuid, {
      description:
        "The uuids of components whose name for visitors is an address or reveals what is checked; for new components, those of their monitors. They are shown all the same.",
    }),
  },
  { title: "StatusPagePreview" },
);

export const StatusPagesQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description: "Only pages with this text in their name or slug, in upper or lower case.",
    }),
  ),
  ...PageQuery,
});

export const FreeSlugQuery = Type.Object({
  slug: Type.Optional(
    Type.String({ maxLength: 255, description: "422 where no page can have it.", examples: ["example"] }),
  ),
  name: Type.Optional(
    Type.String({
      maxLength: 255,
      description: "Instead of `slug`: what the page is called, for a slug that fits it.",
      examples: ["Example status"],
    }),
  ),
});

export const FreeSlug = Type.Object(
  {
    slug: Type.String({ description: "No page has it.", examples: ["example-status"] }),
    formerOf: Type.Union(
      [Type.Object({ uuid: Uuid, name: Type.String({ examples: ["Example status"] }) }), Type.Null()],
      {
        description:
          "Your page that had it before; its old links work until another page takes the slug. Null: none.",
      },
    ),
  },
  { title: "FreeSlug" },
);

export const PagesShowingQuery = Type.Object({
  ids: Type.Optional({
    ...SparklinesQuery.properties.ids,
    description:
      "Integer ids or uuids of domains, services and devices, up to 100, separated by commas; without it the list is empty.",
  }),
});

export const PageShowing = Type.Object(
  {
    uuid: Uuid,
    name: Type.String({ examples: ["Example status"] }),
    slug: Type.String({ examples: ["example"] }),
    isPublic: Type.Boolean(),
    showAutomatic: Type.Boolean({ description: "Whether outages appear as incidents by themselves." }),
    components: Type.Array(Type.String({ examples: ["Shop"] }), { description: "What it calls them." }),
    subscribers: Type.Integer({
      description: "How many of its subscribers an incident of these monitors reaches.",
      examples: [34],
    }),
  },
  { title: "PageShowing" },
);

export type ShownPageShowing = Static<typeof PageShowing>;
export type ShownFreeSlug = Static<typeof FreeSlug>;
export type ShownPreview = Static<typeof PagePreview>;
export type PageContentsInput = Static<typeof PageContents>;
export type ContentsComponentInput = Static<typeof ContentsComponent>;
export type StatusPageChangeInput = Static<typeof StatusPageChange>;
