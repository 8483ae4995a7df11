import type { PublicPage } from "../../../src/status-pages/document/public-page.ts";
import { MACHINE_RENDERINGS } from "../../../src/status-pages/render/machine-renderings.ts";
import type { QueryParameters } from "../../../src/status-pages/render/page-frame.ts";
import type { RenderOptions } from "../../../src/status-pages/render/view.ts";
import { component, group, incident, NOW, publicPage } from "./public-pages.ts";

const OPTIONS: RenderOptions = { base: "/status/northwind", language: "en", isChosen: false, isOld: false };

/** Everything that would break a format of markup, JSON or lines, if it were taken for more than text. */
export const HOSTILE =
  "]]> </title><script>alert(1)</script> & \"quoted\" 'single' \u0000\u0007\u001b[31m \ud800 back\\slash; a, b\r\nX-Evil: 1\nEND:VEVENT";

/** A page whose every text is hostile, with an event of each kind. */
export function hostilePage(): PublicPage {
  const shop = component(HOSTILE, { description: HOSTILE });
  const components = [{ uuid: shop.uuid, name: HOSTILE }];
  const updates = [
    { uuid: "019aaf00-0000-7000-8000-0000000000f1", at: NOW, status: "identified" as const, text: HOSTILE },
  ];
  return publicPage({
    name: HOSTILE,
    description: HOSTILE,
    groups: [group(HOSTILE, [shop])],
    incidents: [incident(HOSTILE, { components, updates })],
    maintenance: [
      {
        uuid: "019aaf00-0000-7000-8000-0000000000f2",
        title: HOSTILE,
        description: HOSTILE,
        startsAt: NOW + 3_600_000,
        endsAt: NOW + 7_200_000,
        updatedAt: NOW - 3_600_000,
        isRunning: false,
        components,
      },
    ],
  });
}

/** What a page's rendering at a path is; null: there is none. */
export function rendered(
  page: PublicPage,
  path: string,
  { query = {}, ...more }: Partial<RenderOptions> & { query?: QueryParameters } = {},
): { body: string; headers: Readonly<Record<string, string>> } | null {
  const rendering = MACHINE_RENDERINGS.find((one) => one.path === path);
  if (!rendering) throw new Error(`nothing is at ${path}`);
  return rendering.render(page, { ...OPTIONS, ...more }, query);
}

/** Its text. Throws where there is none. */
export function textAt(page: PublicPage, path: string, options: Parameters<typeof rendered>[2] = {}): string {
  const answer = rendered(page, path, options);
  if (answer === null) throw new Error(`nothing is at ${path} of this page`);
  return answer.body;
}
