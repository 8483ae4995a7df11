import { type Static, Type } from "typebox";
import { MAX_PAGES } from "../../incidents/schemas/incident-changes.ts";
import { optional } from "../../monitors/schemas/monitor-input.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import { INCIDENT_STATUSES } from "../../platform/monitor-defaults.ts";
import { IdText, nullable, oneOf, Timestamp, Uuid, withId } from "../../platform/operations/field.ts";
import { BUILT_IN_TEMPLATES, PLACEHOLDERS } from "../update/template-text.ts";

const MAX_MESSAGE_LENGTH = 4_000;
const MAX_TITLE_LENGTH = 255;
const KNOWN = PLACEHOLDERS.map((name) => `{${name}}`).join(", ");

const Text = Type.Object(
  {
    language: oneOf(LANGUAGES, { description: "Each at most once." }),
    title: Type.Optional(
      Type.String({
        maxLength: MAX_TITLE_LENGTH,
        default: "",
        description: "What the update begins with, in bold. Default: empty.",
      }),
    ),
    message: Type.String({
      minLength: 1,
      maxLength: MAX_MESSAGE_LENGTH,
      description: `Markdown with the placeholders ${KNOWN}, which are filled in as text.`,
      examples: ["We are looking into a problem with {components} since {since}."],
    }),
  },
  { title: "UpdateTemplateText" },
);

const fields = {
  name: Type.String({ format: "name", description: "What you call it.", examples: ["Provider is down"] }),
  texts: Type.Array(Text, { minItems: 1, maxItems: LANGUAGES.length, description: "In each language." }),
};

export const UpdateTemplateCreate = Type.Object(fields, { title: "UpdateTemplateCreate" });

export const UpdateTemplateChange = withId(Type.Object(optional(fields), { title: "UpdateTemplateChange" }));

export const UpdateTemplate = Type.Object(
  {
    id: Type.Integer({ examples: [4] }),
    uuid: Uuid,
    name: fields.name,
    texts: Type.Array(
      Type.Object({
        language: oneOf(LANGUAGES),
        title: Type.String(),
        message: Type.String(),
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: "UpdateTemplate" },
);

export const BuiltInTemplates = Type.Array(
  Type.Object(
    {
      template: oneOf(BUILT_IN_TEMPLATES, { description: "As a draft names it." }),
      texts: UpdateTemplate.properties.texts,
    },
    { title: "BuiltInTemplate" },
  ),
);

export const DraftInput = Type.Object(
  {
    id: IdText,
    pages: Type.Optional(
      Type.Array(Type.String({ format: "uuid" }), {
        maxItems: MAX_PAGES,
        description:
          "The status pages that it is for, by their uuids. It names only what is on all of them, under one name. Default: all that show what is affected.",
      }),
    ),
    template: Type.Optional(
      Type.Unsafe<string | number>({
        type: ["string", "integer"],
        minLength: 1,
        maxLength: 64,
        minimum: 1,
        description: `The template: ${BUILT_IN_TEMPLATES.join(", ")}, or the id or uuid of your own. Default: that of the state.`,
        examples: ["investigating"],
      }),
    ),
    status: Type.Optional(
      oneOf(INCIDENT_STATUSES, {
        description: "The state that the update moves to. Default: the present one.",
      }),
    ),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 5,
        maximum: 1_440,
        default: 30,
        description: "Until when the next update is promised. Default: 30.",
      }),
    ),
  },
  { title: "DraftUpdateInput" },
);

const DraftText = Type.Object(
  { language: oneOf(LANGUAGES), message: Type.String() },
  { title: "DraftUpdateText" },
);

export const DraftUpdate = Type.Object(
  {
    texts: Type.Array(DraftText, {
      description: "In the languages of these pages, that of the first one first.",
    }),
    pages: Type.Array(
      Type.Object(
        {
          uuid: Uuid,
          name: Type.String({ examples: ["Example status"] }),
          slug: Type.String({ examples: ["example"] }),
          isPublic: Type.Boolean(),
          components: Type.Array(Type.String({ examples: ["Shop"] }), {
            description: "What it calls what is affected.",
          }),
          subscribers: Type.Integer({
            description: "How many subscribers an update reaches there.",
            examples: [34],
          }),
          unchangedSince: nullable(
            Timestamp,
            "When an update there last announced this state, if nothing has happened since. Null: there is something new to say.",
          ),
          entries: Type.Array(
            Type.Object(
              {
                updateId: Type.Integer({ examples: [31] }),
                texts: Type.Array(DraftText, {
                  description: "In the languages of the page, its own first.",
                }),
              },
              { title: "DraftUpdatePageEntry" },
            ),
            {
              description:
                "What its visitors read in place of entries of the incident's log that Vedette wrote itself.",
            },
          ),
        },
        { title: "DraftUpdatePage" },
      ),
      { description: "All status pages that show what the incident affects." },
    ),
  },
  { title: "DraftUpdate" },
);

export type TemplateInput = Static<typeof UpdateTemplateCreate>;
export type ShownDraft = Static<typeof DraftUpdate>;
export type ShownTemplate = Static<typeof UpdateTemplate>;
export type ShownBuiltInTemplate = Static<typeof BuiltInTemplates>[number];
