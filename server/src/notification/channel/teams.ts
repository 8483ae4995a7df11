import { type Static, Type } from "typebox";
import type { NoticeType } from "../rules.ts";
import { hostOf, secretUrl } from "./fields.ts";
import type { HttpChannelKind } from "./kind.ts";

const teamsConfigSchema = Type.Object(
  {
    url: secretUrl(
      'The URL of a workflow "Post to a channel when a webhook request is received".',
      "https://prod-00.westeurope.logic.azure.com/workflows/xxxx/triggers/manual/paths/invoke?sig=xxxx",
    ),
  },
  {
    additionalProperties: false,
    title: "Microsoft Teams",
    description: "Posts a card into a channel or chat by a workflow.",
  },
);

type TeamsConfig = Static<typeof teamsConfigSchema>;

const STYLES: Readonly<Record<NoticeType, string>> = {
  error: "attention",
  warning: "warning",
  success: "good",
  info: "accent",
};

/** A channel of Microsoft Teams, by a workflow that takes adaptive cards. */
export const teamsChannel: HttpChannelKind<TeamsConfig> = {
  type: "teams",
  configSchema: teamsConfigSchema,
  target: ({ url }) => hostOf(url),
  request({ url }, { words: { title, text, details, link }, message: { type } }) {
    const heading = {
      type: "TextBlock",
      text: title,
      weight: "bolder",
      size: "medium",
      wrap: true,
      color: STYLES[type],
    };
    const facts = details.map(({ label, value }) => ({ title: label, value }));
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [
        heading,
        { type: "TextBlock", text, wrap: true },
        ...(facts.length > 0 ? [{ type: "FactSet", facts }] : []),
      ],
      actions: link ? [{ type: "Action.OpenUrl", title: link.label, url: link.url }] : [],
    };
    const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content };
    return { url, body: { json: { type: "message", attachments: [attachment] } } };
  },
};
