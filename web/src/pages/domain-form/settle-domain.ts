import type { Drafts } from "../../forms/drafts.ts";

/** An API is asked without following redirects, unless told otherwise: the form shows at once what follows. */
export const settleDomain = (drafts: Drafts, changed: string): Drafts =>
  changed === "isApi" ? { ...drafts, followRedirects: drafts["isApi"] !== true } : drafts;

/** And says it: what the API makes of an untouched one is not what is shown. */
export const alongside = { isApi: ["followRedirects"] } as const;
