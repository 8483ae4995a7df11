import type { PublicPage } from "../public-page.ts";
import { LIVE_SCRIPT, LIVE_SCRIPT_PATH, type Rendered } from "./document.ts";
import { historyPage, incidentPage, statusPage } from "./pages.ts";
import { type RenderOptions, viewOf } from "./view.ts";

/** What was asked for besides the language: of the path and, of those that the rendering reads, from the query. */
export type Asked = Readonly<Record<string, string>>;

/** Something that visitors can get of a page. */
export interface Rendering {
  /** Below the page's own address, as the router writes it: `/incidents/:uuid`. */
  path: string;
  /** Content type. */
  type: string;
  /** It is for people to read: in their language, and with a page where it fails. */
  isDocument: boolean;
  /** The parameters of the query that it reads. */
  query?: readonly string[];
  /** Made from the page and nothing else; null: there is nothing at this address. */
  render(page: PublicPage, options: RenderOptions, asked: Asked): Rendered | null;
}

const HTML = { type: "text/html; charset=utf-8", isDocument: true } as const;

/** Everything that a visitor can get, one line each. All of it is kept by the same cache and let out by the same rules. */
export const RENDERINGS: readonly Rendering[] = [
  { ...HTML, path: "", render: (page, options) => statusPage(viewOf(page, options)) },
  { ...HTML, path: "/history", render: (page, options) => historyPage(viewOf(page, options)) },
  {
    ...HTML,
    path: "/history/:month",
    render: (page, options, { month }) => historyPage(viewOf(page, options), month),
  },
  {
    ...HTML,
    path: "/incidents/:uuid",
    render: (page, options, { uuid = "" }) => incidentPage(viewOf(page, options), uuid),
  },
  {
    path: LIVE_SCRIPT_PATH,
    type: "text/javascript; charset=utf-8",
    isDocument: false,
    render: () => ({
      body: LIVE_SCRIPT,
      headers: { "cache-control": "public, max-age=31536000, immutable" },
    }),
  },
];
