import type { Drafts } from "../../forms/drafts.ts";

/** An API is asked without following redirects, unless told otherwise: the form shows at once what follows. */
export const settleDomain = (drafts: Drafts, changed: string): Drafts =>
  changed === "isApi" ? { ...drafts, followRedirects: drafts["isApi"] !== true } : drafts;
