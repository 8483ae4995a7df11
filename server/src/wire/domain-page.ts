import { Type } from "typebox";
import { fromOutside } from "./field.ts";

/** GET /api/domains/fetch-title. */
export const TitleQuery = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: "http(s) address; a bare host is taken as https.",
    examples: ["example.com"],
  }),
});

export const TitleLookup = Type.Object(
  {
    title: fromOutside(
      Type.String({
        description: "The page's title, or its host name when it has none.",
        examples: ["Example Domain"],
      }),
    ),
    url: Type.String({
      description: "Where the page was found, after redirects.",
      examples: ["https://example.com/"],
    }),
  },
  { title: "TitleLookup" },
);

/** GET /api/domains/{id}/icon. */
export const DomainIcon = Type.Object(
  {
    iconUrl: Type.String({
      description:
        "Full URL of the picture on this server; a site without an icon gets one with its first letter.",
      examples: ["https://vedette.example/icons/Zk3nq0W0m7r1Yy8t5fVdXw2s9uJc4LhGpQeRaTbIoMk?v=1760000000000"],
    }),
  },
  { title: "DomainIcon" },
);
