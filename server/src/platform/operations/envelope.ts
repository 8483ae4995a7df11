import { type TSchema, Type } from "typebox";
import { MessageSchema } from "./field.ts";

/** Every failure. */
export const Failure = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String({
      description: "One sentence about what went wrong.",
      examples: ["Resource not found."],
    }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: "Field name (nested as `protocolConfig.port`) to the sentences about it.",
      }),
    ),
    fact: MessageSchema,
    facts: Type.Optional(
      Type.Record(Type.String(), Type.Array(MessageSchema), {
        description: "The same as `errors` in no language.",
      }),
    ),
    request_id: Type.Optional(
      Type.String({ description: "On a server error: the id that is also in its log." }),
    ),
  },
  { title: "Failure" },
);

export const Pagination = Type.Object(
  {
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer({ description: "Items in all pages together." }),
    totalPages: Type.Integer(),
  },
  { title: "Pagination" },
);

const V2Pagination = Type.Object(
  {
    page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer({ description: "Items in all pages together." }),
    total_pages: Type.Integer(),
  },
  { title: "V2Pagination" },
);

/** What a list handler knows about its page; each family writes it in its own words. */
export interface Page {
  page: number;
  /** Items a page. */
  size: number;
  total: number;
}

const pagesOf = (page: Page): number => Math.max(1, Math.ceil(page.total / page.size));

export function projectPage(page: Page, family: "legacy" | "v2"): object {
  return family === "legacy"
    ? { page: page.page, limit: page.size, total: page.total, totalPages: pagesOf(page) }
    : { page: page.page, per_page: page.size, total: page.total, total_pages: pagesOf(page) };
}

/** How a list is described in its envelope. `always`: with `pagination`, else only when pages were requested. */
interface ListDetails {
  family: "legacy" | "v2";
  always: boolean;
  beside?: Readonly<Record<string, TSchema>> | undefined;
}

export function successOf(data: TSchema, paged?: ListDetails) {
  const pagination = paged?.family === "v2" ? V2Pagination : Pagination;
  return Type.Object({
    success: Type.Literal(true),
    message: Type.String({ examples: ["OK"] }),
    data,
    ...(paged && { pagination: paged.always ? pagination : Type.Optional(pagination) }),
    ...paged?.beside,
  });
}

/** What surrounds `data` in the success envelope as JSON, for data that is JSON already. */
export function openSuccess(message: string, extra: object): { first: string; last: string } {
  const more = JSON.stringify(extra).slice(1);
  return {
    first: `{"success":true,"message":${JSON.stringify(message)},"data":`,
    last: more === "}" ? more : `,${more}`,
  };
}
