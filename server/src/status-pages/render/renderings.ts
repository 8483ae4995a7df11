import { subscribeForm } from "./form-pages.ts";
import { MACHINE_RENDERINGS } from "./machine-renderings.ts";
import { LIVE_SCRIPT, LIVE_SCRIPT_PATH, type Rendering } from "./page-frame.ts";
import { historyPage, incidentPage, statusPage } from "./pages.ts";
import { viewOf } from "./view.ts";

const HTML = { type: "text/html; charset=utf-8", isDocument: true } as const;

/** They share one cache and the same access rules. */
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
    ...HTML,
    path: "/subscribe",
    render: (page, options) => subscribeForm(viewOf(page, options)),
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
  ...MACHINE_RENDERINGS,
];
