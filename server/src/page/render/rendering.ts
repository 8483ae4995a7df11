import type { PublicPage } from "../document/public-page.ts";
import type { Rendered } from "./document.ts";
import type { RenderOptions } from "./view.ts";

/** What was asked for besides the language: of the path and, of those that the rendering reads, from the query. */
export type QueryParameters = Readonly<Record<string, string>>;

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
  render(page: PublicPage, options: RenderOptions, parameters: QueryParameters): Rendered | null;
}
