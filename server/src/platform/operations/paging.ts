import { type TSchema, Type } from "typebox";
import type { ListPart } from "../database/sql.ts";
import { MessageSchema, oneOf } from "./field.ts";

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

/** A list without pages has everything, up to this many items. */
export const MAX_WITHOUT_PAGES = 1_000;

/** Beyond it a store could not count the items to skip. */
const MAX_PAGE = 1_000_000;
const pageNumber = { minimum: 1, maximum: MAX_PAGE, description: "Counted from 1." };

/** Paging of a list that answers with everything (up to 1,000 items) unless a page is requested. */
export const PageQuery = {
  page: Type.Optional(Type.Integer(pageNumber)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "Items a page." })),
};

const CREATED_SORTS = ["createdAt", "-createdAt"] as const;

/** The order of a list whose pages shift otherwise. `usual`: the order without it, in a sentence. */
export const createdSort = (usual: string) =>
  Type.Optional(
    oneOf(CREATED_SORTS, {
      description: `\`createdAt\`: the oldest first, so that no item is on two pages while others are added. ${usual}`,
    }),
  );

/** The same of a list that is newest first. Its pages shift while items are added, unless it is read from its oldest on. */
export const NewestFirstQuery = {
  ...PageQuery,
  sort: createdSort("Default: `-createdAt`, the newest first."),
};

export const V2PageQuery = {
  page: Type.Optional(Type.Integer({ ...pageNumber, default: 1 })),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 15, description: "Items a page." }),
  ),
};

/** A list, and which page of a longer one it is; `page` is undefined when no paging was requested. */
export interface Listed<Items> {
  items: Items;
  page?: Page | undefined;
  /** What the verb's `beside` declares. */
  beside?: Readonly<Record<string, unknown>>;
}

export interface PageRequest {
  page?: number | undefined;
  limit?: number | undefined;
  sort?: string | undefined;
}

interface Paging extends ListPart {
  isPaged: boolean;
  page: number;
}

/** In v2 paging always applies: its query has defaults. `usualLimit`: of a page without a limit. */
export function pagingOf(query: PageRequest, usualLimit = 20): Paging {
  const isPaged = query.page !== undefined || query.limit !== undefined;
  const { page = 1, limit = isPaged ? usualLimit : MAX_WITHOUT_PAGES } = query;
  return {
    isPaged,
    page,
    limit,
    offset: (page - 1) * limit,
    way: query.sort === "createdAt" ? "asc" : "desc",
  };
}

/** The envelope's description of the page, if one was requested. `total`: items in all pages together. */
export const pageIn = ({ isPaged, page, limit }: Paging, total: number): Page | undefined =>
  isPaged ? { page, size: limit, total } : undefined;

/** The page of a short list that has been read whole; newest first where `query` can request the oldest first. */
export function pageOf<T>(all: readonly T[], query: PageRequest): Listed<T[]> {
  const paging = pagingOf(query);
  const { offset, limit } = paging;
  const ordered = query.sort === "createdAt" ? all.toReversed() : all;
  return { items: ordered.slice(offset, offset + limit), page: pageIn(paging, all.length) };
}

interface Order<Name extends string> {
  by: Name;
  descending: boolean;
}

const bothWays = <const Names extends readonly string[]>(names: Names) =>
  names.flatMap((name: Names[number]) => [name, `-${name}` as const]);

/** The `sort` of a list that is newest first otherwise. `words`: what its names put first. */
export const sortQuery = <const Names extends readonly string[]>(names: Names, words: string) =>
  Type.Optional(
    oneOf(bothWays(names), { description: `Default: newest first. A leading \`-\` reverses. ${words}` }),
  );

/** `-responseTime`: what to sort by, and which way; null for no wish. */
export function readSort<Name extends string>(sort: Name | `-${Name}` | undefined): Order<Name> | null {
  if (sort === undefined) return null;
  return { by: sort.replace("-", "") as Name, descending: sort.startsWith("-") };
}

const description =
  "Id, uuid or slug of an organization you belong to. Default: the one of your key or session. An API key names another one only if it was made for all of yours.";
const alias = "The same as `organization`.";

const inQuery = { type: "string", minLength: 1, maxLength: 255 };
const inBody = {
  type: ["string", "integer"],
  minLength: 1,
  maxLength: 255,
  minimum: 1,
  examples: ["northwind"],
};

const bothSpellings = (schema: object) => ({
  organization: Type.Optional(Type.Unsafe<string | number>({ ...schema, description })),
  organizationId: Type.Optional(Type.Unsafe<string | number>({ ...schema, description: alias })),
});

/** Of a query. */
export const ORGANIZATION_QUERY = bothSpellings(inQuery);
const BODY = bothSpellings(inBody);

/** The fields by which a request may say whose things it is about, the same in both families. */
export const ORGANIZATION_FIELDS = Object.keys(ORGANIZATION_QUERY);

export const queryWithOrganization = (schema: TSchema | undefined): TSchema =>
  withFields(schema ?? Type.Object({}), ORGANIZATION_QUERY);

export const bodyWithOrganization = (schema: TSchema): TSchema => withFields(schema, BODY);

function withFields(schema: TSchema, fields: object): TSchema {
  const { properties } = schema as { properties?: object };
  return Type.Unsafe({ ...schema, properties: { ...properties, ...fields } });
}
