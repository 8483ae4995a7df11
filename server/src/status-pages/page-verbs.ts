import type { Verb } from "../platform/operations/operation.ts";
import { arrangePage } from "./contents/contents.ts";
import { getPublicPage } from "./document/read-public-page.ts";
import { checkCustomDomain } from "./domain/custom-domain.ts";
import { findFreeSlug } from "./free-slug.ts";
import * as logos from "./look/logos.ts";
import { previewStatusPage } from "./preview-page.ts";
import * as statusPages from "./status-pages.ts";
import * as byLink from "./subscriber/by-link.ts";
import { importSubscribers } from "./subscriber/import-subscribers.ts";
import { subscribe } from "./subscriber/subscribe.ts";
import * as subscribers from "./subscriber/subscribers.ts";
import { draftIncidentUpdate } from "./update/draft-update.ts";
import { listPagesShowing } from "./update/pages-showing.ts";
import * as templates from "./update/templates.ts";

export const PAGE_VERBS = {
  ...logos,
  ...statusPages,
  ...subscribers,
  ...byLink,
  ...templates,
  arrangePage,
  checkCustomDomain,
  draftIncidentUpdate,
  findFreeSlug,
  getPublicPage,
  importSubscribers,
  listPagesShowing,
  previewStatusPage,
  subscribe,
} satisfies Record<string, Verb>;
