import type { StatusPage } from "../api/status-pages.ts";
import { apiPaths } from "../paths.ts";

type Addressed = Pick<StatusPage, "url" | "slug">;

/** Where visitors find a page: as the installation knows it, else as this browser reaches it. */
export const addressOf = ({ url, slug }: Addressed): string =>
  url ?? location.origin + apiPaths.visitorsPage(slug);

/** The same without what every address begins with. */
export const shortAddressOf = (page: Addressed): string => addressOf(page).replace(/^https?:\/\//, "");
