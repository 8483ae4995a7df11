const url = { type: "string", format: "uri" } as const;
const text = { type: "string" } as const;
const author = {
  type: "object",
  properties: { name: text, url, avatar: url },
  minProperties: 1,
} as const;

/** What https://www.jsonfeed.org/version/1.1/ says, as far as a schema can: extensions begin with an underscore. */
export const JSON_FEED_SCHEMA = {
  type: "object",
  required: ["version", "title", "items"],
  additionalProperties: false,
  patternProperties: { "^_": { type: "object" } },
  properties: {
    version: { const: "https://jsonfeed.org/version/1.1" },
    title: { type: "string", minLength: 1 },
    home_page_url: url,
    feed_url: url,
    description: text,
    user_comment: text,
    next_url: url,
    icon: url,
    favicon: url,
    authors: { type: "array", items: author },
    language: { type: "string", pattern: "^[a-z]{2,3}(-[A-Za-z0-9]+)*$" },
    expired: { type: "boolean" },
    hubs: { type: "array" },
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["id"],
        anyOf: [{ required: ["content_html"] }, { required: ["content_text"] }],
        additionalProperties: false,
        patternProperties: { "^_": { type: "object" } },
        properties: {
          id: { type: "string", minLength: 1 },
          url,
          external_url: url,
          title: text,
          content_html: text,
          content_text: text,
          summary: text,
          image: url,
          banner_image: url,
          date_published: { type: "string", format: "date-time" },
          date_modified: { type: "string", format: "date-time" },
          authors: { type: "array", items: author },
          tags: { type: "array", items: text },
          language: text,
          attachments: { type: "array" },
        },
      },
    },
  },
} as const;
