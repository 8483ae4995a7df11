import { type Static, Type } from "typebox";
import type { NotificationType } from "../event-rules.ts";
import type { HttpChannelKind } from "./kind.ts";
import { cut, jsonBytes, textAt, unlinkedText } from "./message.ts";
import { hostOf, secretUrl } from "./post.ts";

const teamsConfigSchema = Type.Object(
  {
    url: secretUrl(
      'The URL of a workflow "Post to a channel when a webhook request is received".',
      "https://example.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/xxxx/triggers/manual/paths/invoke?sig=xxxx",
    ),
  },
  {
    additionalProperties: false,
    title: "Microsoft Teams",
    description: "Posts a card into a channel or chat by a workflow.",
  },
);

type TeamsConfig = Static<typeof teamsConfigSchema>;

const STYLES: Readonly<Record<NotificationType, string>> = {
  error: "attention",
  warning: "warning",
  success: "good",
  info: "accent",
};

/** Bytes: of all of a message 28 KB are taken (Limits and specifications for Microsoft Teams). */
const MAX_TITLE = 1_000;
const MAX_TEXT = 12_000;
const MAX_DETAILS = 10;
const MAX_LABEL = 100;
const MAX_VALUE = 1_000;

/** A channel of Microsoft Teams, by a workflow that takes adaptive cards. */
export const teamsChannel: HttpChannelKind<TeamsConfig> = {
  type: "teams",
  configSchema: teamsConfigSchema,
  target: ({ url }) => hostOf(url),
  request({ url }, { words: { title, text, details, links, acknowledge, link }, message: { type } }) {
    const heading = { ...plain(title, MAX_TITLE), weight: "bolder", size: "medium", color: STYLES[type] };
    const rows = details.slice(0, MAX_DETAILS).map(({ label, value }) => ({
      type: "RichTextBlock",
      inlines: [{ ...plain(`${label}: `, MAX_LABEL), weight: "bolder" }, plain(value, MAX_VALUE)],
    }));
    const listed = links.map(opening).filter(({ url }) => url.length <= MAX_VALUE);
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [
        { type: "RichTextBlock", inlines: [heading] },
        { type: "RichTextBlock", inlines: [plain(text, MAX_TEXT - jsonBytes(JSON.stringify(listed)))] },
        ...rows,
        // A card shows six actions of its own at most.
        ...(listed.length > 0 ? [{ type: "ActionSet", actions: listed }] : []),
      ],
      actions: [acknowledge, link].filter((one) => one !== null).map(opening),
    };
    const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content };
    return { url, body: { json: { type: "message", attachments: [attachment] } } };
  },
  // The workflow was turned off or deleted.
  evaluate: ({ status, body }) =>
    status === 400 && textAt(body, "error", "code") === "WorkflowTriggerIsNotEnabled" ? "ended" : undefined,
};

/** A button. */
const opening = ({ label, url }: { label: string; url: string }) => ({
  ...{ type: "Action.OpenUrl", title: unlinkedText(label), url },
});

/** Unlike a TextBlock and a FactSet, it is not read as Markdown (Adaptive Cards: TextRun). */
const plain = (text: string, limit: number) => ({
  type: "TextRun",
  text: unlinkedText(cut(text, limit, (beginning) => jsonBytes(unlinkedText(beginning)))),
});
