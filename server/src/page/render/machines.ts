import { atlassianFiles } from "./atlassian.ts";
import { badges } from "./badges.ts";
import { renderCalendar } from "./calendar.ts";
import { renderAtom, renderJsonFeed, renderRss } from "./feeds.ts";
import type { Asked, Rendering } from "./rendering.ts";
import { type View, viewOf } from "./view.ts";
import { renderWidget, WIDGET_LOADER, WIDGET_POLICY } from "./widget.ts";

/** Of pages that are for everybody, other sites may have them on their pages, and read them by script. */
const FOR_ALL = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

type Render = (view: View, asked: Asked) => string | null;

function machine(
  path: string,
  type: string,
  render: Render,
  {
    query = [],
    headers = {},
  }: { query?: readonly string[]; headers?: Readonly<Record<string, string>> } = {},
): Rendering {
  return {
    path,
    type,
    isDocument: false,
    query,
    render(page, options, asked) {
      const body = render(viewOf(page, options), asked);
      return body === null ? null : { body, headers: { ...FOR_ALL, ...headers } };
    },
  };
}

const HTML_TYPE = "text/html; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

/** What machines, and other people's pages, get of a status page, one line each. */
export const MACHINE_RENDERINGS: readonly Rendering[] = [
  machine("/feed.atom", "application/atom+xml; charset=utf-8", renderAtom),
  machine("/feed.rss", "application/rss+xml; charset=utf-8", renderRss),
  machine("/feed.json", "application/feed+json; charset=utf-8", renderJsonFeed),
  machine("/maintenance.ics", "text/calendar; charset=utf-8", renderCalendar),
  ...atlassianFiles.map(({ name, render }) => machine(`/api/v2/${name}.json`, JSON_TYPE, render)),
  ...badges.map(({ name, render }) =>
    machine(`/badge/${name}.svg`, "image/svg+xml", render, { query: ["component", "label", "style"] }),
  ),
  machine("/widget", HTML_TYPE, renderWidget, {
    query: ["theme"],
    headers: { "content-security-policy": WIDGET_POLICY },
  }),
  machine("/widget.js", "text/javascript; charset=utf-8", () => WIDGET_LOADER, {
    headers: { "cache-control": "public, max-age=3600" },
  }),
];
