import type { TargetPolicy } from "../check/guard.ts";
import type { PageTitle, Picture } from "./page-search.ts";

/** What the thread that reads pages is started with. */
export interface PageSettings {
  /** As createResolver takes them. */
  resolvers: readonly string[];
  policy: TargetPolicy;
}

/** What it can be asked, and what it answers. */
export interface PageAnswers {
  title: PageTitle;
  icon: Picture | null;
}

export type PageKind = keyof PageAnswers;

export interface PageReadRequest {
  kind: PageKind;
  url: string;
}
