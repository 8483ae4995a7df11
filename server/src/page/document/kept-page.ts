import type { StatusPage } from "../../store/queries/status-pages.ts";
import type { PublicPage } from "./public-page.ts";

/** A page as it was last read. */
export interface KeptPage {
  /** Says who may see it. */
  page: StatusPage;
  document: PublicPage;
  /** Until then nobody asks the store. */
  freshUntil: number;
  /** Newer information could not be had. */
  isOld: boolean;
}
