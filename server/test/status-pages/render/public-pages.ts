import type { LookSettings } from "../../../src/platform/formats/contrast.ts";
import type {
  PublicComponent,
  PublicDay,
  PublicGroup,
  PublicIncident,
  PublicPage,
} from "../../../src/status-pages/document/public-page.ts";
import { appearanceOf } from "../../../src/status-pages/document/read-public-page.ts";
import { groupStatus } from "../../../src/status-pages/document/rules.ts";

export const NOW = Date.parse("2026-11-23T09:30:20Z");
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** The same id for the same number. */
const uuid = (n: number) => `019aaf00-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;

/** 90 days, all fine but for the outages (their beginnings in days before now, and minutes) and the days before `since`. */
function daysWith(
  outages: readonly (readonly [daysAgo: number, minutes: number])[],
  noDataDays = 0,
): PublicDay[] {
  return Array.from({ length: 90 }, (_, at): PublicDay => {
    const daysAgo = 89 - at;
    const date = new Date(NOW - daysAgo * DAY_MS).toISOString().slice(0, 10);
    if (at < noDataDays) return { date, status: "no_data", uptime: null, outages: [] };
    const begin = Date.parse(`${date}T10:12:00Z`);
    const own = outages
      .filter(([ago]) => ago === daysAgo)
      .map(([, minutes], n) => ({
        from: begin + n * HOUR_MS,
        to: begin + n * HOUR_MS + minutes * MINUTE_MS,
      }));
    const downMs = own.reduce((sum, { from, to }) => sum + to - from, 0);
    const uptime = Math.round((1 - downMs / DAY_MS) * 10_000) / 100;
    return { date, status: own.length > 0 ? "outage" : "operational", uptime, outages: own };
  });
}

let made = 0;

/** A component that works, with its days and response times. */
export function component(name: string, change: Partial<PublicComponent> = {}): PublicComponent {
  made += 1;
  const base = 40 + ((made * 37) % 160);
  return {
    uuid: uuid(made),
    name,
    description: "",
    status: "operational",
    incidents: [],
    since: NOW - 40 * DAY_MS,
    uptime: 99.98,
    measuredSince: null,
    days: daysWith([[(made * 7) % 80, 6]]),
    responseTimes: Array.from({ length: 24 }, (_, hour) => ({
      at: NOW - (24 - hour) * HOUR_MS,
      ms: base + ((hour * made * 13) % 40),
    })),
    ...change,
  };
}

export function group(
  name: string | null,
  components: PublicComponent[],
  change: Partial<PublicGroup> = {},
): PublicGroup {
  made += 1;
  const status = groupStatus(components.map((component) => component.status));
  return { uuid: uuid(made), name, isCollapsed: false, status, components, ...change };
}

export function publicPage(change: Partial<PublicPage> = {}): PublicPage {
  return {
    uuid: uuid(0),
    slug: "northwind",
    name: "Northwind",
    description: "",
    url: "https://status.northwind.test",
    timeZone: "UTC",
    updatedAt: NOW,
    changedAt: NOW - 50 * DAY_MS,
    overall: "operational",
    groups: [],
    incidents: [],
    history: [],
    maintenance: [],
    appearance: { theme: "auto", accent: null, logo: null, footer: null, css: null, languages: [] },
    ...change,
  };
}

export function incident(
  title: PublicIncident["title"],
  change: Partial<PublicIncident> = {},
): PublicIncident {
  made += 1;
  const { startedAt = NOW - 78 * MINUTE_MS } = change;
  return {
    uuid: uuid(made),
    title,
    impact: "major",
    status: "identified",
    startedAt,
    resolvedAt: null,
    updatedAt: Math.max(startedAt, ...(change.updates ?? []).map(({ at }) => at)),
    components: [],
    updates: [],
    hasOlder: false,
    ...change,
  };
}

/** A page on which whatever people write says `text`; `update`: the message of its incident. */
export function pageThatSays(
  text: string,
  { update, appearance }: { update: string; appearance: Partial<PublicPage["appearance"]> },
): PublicPage {
  const own = { name: text, description: text };
  const components = [{ uuid: uuid(901), name: text }];
  const window = {
    uuid: uuid(902),
    title: text,
    description: text,
    startsAt: NOW,
    endsAt: NOW,
    updatedAt: NOW,
  };
  const updates = [{ uuid: uuid(903), at: NOW, status: text, text: update }];
  const page = publicPage();
  return {
    ...page,
    ...own,
    url: `https://status.test/${text}`,
    groups: [group(text, [component(text, own)])],
    incidents: [incident(text, { components, status: text, updates })],
    maintenance: [{ ...window, isRunning: true, components }],
    appearance: { ...page.appearance, ...appearance },
  };
}

const resolved = (title: string, daysAgo: number, minutes: number, text: string): PublicIncident => {
  const startedAt = NOW - daysAgo * DAY_MS;
  const resolvedAt = startedAt + minutes * MINUTE_MS;
  return incident(title, {
    startedAt,
    resolvedAt,
    status: "resolved",
    components: [{ uuid: uuid(1), name: "Checkout" }],
    updates: [
      { uuid: uuid(900), at: resolvedAt, status: "resolved", text },
      { uuid: uuid(901), at: startedAt, status: "investigating", text: "We are looking into it." },
    ],
  });
};

const HISTORY = [
  resolved("Slow searches", 3, 42, "An index had to be built again. Searches are as fast as usual."),
  resolved("Logins failed for some people", 9, 18, "A certificate was renewed.\n\nWe now watch its end."),
  resolved("Delayed e-mail", 41, 190, "All mail has been delivered."),
];

const shop = () => [
  group("Shop", [
    component("Website", { description: "Everything that customers see first" }),
    component("Checkout", {
      days: daysWith([
        [2, 31],
        [17, 4],
      ]),
    }),
    component("Search"),
  ]),
  group("Developers", [
    component("API", { days: daysWith([], 62) }),
    component("Webhooks", { responseTimes: null }),
  ]),
  group(null, [component("Documentation", { days: null, responseTimes: null })]),
];

/** How a page can look: each is rendered, validated and looked at. */
export const SCENES = {
  green: () => publicPage({ groups: shop(), history: HISTORY }),
  outage: () => {
    const groups = shop();
    const [first] = groups;
    const checkout = first?.components[1] as PublicComponent;
    checkout.status = "outage";
    checkout.uptime = 99.71;
    const today = checkout.days?.at(-1) as PublicDay;
    Object.assign(today, {
      status: "outage",
      uptime: 86.3,
      outages: [{ from: NOW - 78 * MINUTE_MS, to: null }],
    });
    (first as PublicGroup).status = "outage";
    const components = [{ uuid: checkout.uuid, name: "Checkout" }];
    const updates = [
      {
        uuid: uuid(800),
        at: NOW - 12 * MINUTE_MS,
        status: "identified",
        text: "The payment provider confirms a fault on their side. Orders are stored and charged later.\nTheir status: https://status.payments.test/incidents/42.",
      },
      {
        uuid: uuid(801),
        at: NOW - 70 * MINUTE_MS,
        status: "investigating",
        text: "Payments fail for about half of our customers. We are looking into it.",
      },
    ];
    return publicPage({
      overall: "partial_outage",
      groups,
      incidents: [incident("Payments fail", { components, updates })],
      history: HISTORY,
    });
  },
  maintenance: () => {
    const groups = shop();
    const search = groups[0]?.components[2] as PublicComponent;
    search.status = "maintenance";
    Object.assign(search.days?.at(-1) as PublicDay, { status: "maintenance" });
    const components = [{ uuid: search.uuid, name: "Search" }];
    return publicPage({
      overall: "maintenance",
      groups,
      maintenance: [
        {
          uuid: uuid(700),
          title: "New search servers",
          description: "Search answers, but new products appear up to an hour later.",
          startsAt: NOW - HOUR_MS,
          endsAt: NOW + HOUR_MS,
          updatedAt: NOW - 2 * DAY_MS,
          isRunning: true,
          components,
        },
        {
          uuid: uuid(701),
          title: "Database upgrade",
          description: "",
          startsAt: NOW + 5 * DAY_MS,
          endsAt: NOW + 5 * DAY_MS + 3 * HOUR_MS,
          updatedAt: NOW - 2 * DAY_MS,
          isRunning: false,
          components,
        },
      ],
    });
  },
  unknown: () =>
    publicPage({
      overall: "unknown",
      groups: [
        group(null, [
          component("Website", {
            status: "unknown",
            days: daysWith([], 90),
            uptime: null,
            responseTimes: null,
          }),
          component("Old API", { status: "paused", days: daysWith([], 30), responseTimes: null }),
        ]),
      ],
    }),
  empty: () => publicPage({ overall: "unknown" }),
  styled: (): PublicPage => {
    const page = SCENES.outage();
    const look: LookSettings = {
      ...{ theme: "auto", accent: "#ffe14d", languages: ["de", "en", "zh"] },
      footer: "**Northwind** · [Imprint](https://northwind.test/imprint)\n\n- Phone: 0190\n- <b>no</b> HTML",
      css: ".card{border-radius:0}@media (min-width:600px) and (width<2000px){h1::after{content:'</style>'}}",
    };
    return { ...page, appearance: appearanceOf(look, null) };
  },
  long: () =>
    publicPage({
      name: "The Extraordinarily Long-Winded Company of Northern Lighthouses and Their Keepers, Established 1788".repeat(
        2,
      ),
      description:
        "What we run, and how it is doing.\n\nAnything else: https://northwind.test/help?topic=status&from=page",
      timeZone: "Pacific/Auckland",
      overall: "degraded",
      groups: [
        group("Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2), [
          component("a".repeat(200), { status: "degraded", description: "b ".repeat(200) }),
          component("نظام الدفع الإلكتروني وخدمات الدعم"),
          component("非常非常长的中文组件名称用来测试换行是否正常".repeat(4)),
        ]),
      ],
      incidents: [incident("c".repeat(255), { impact: "minor", updates: [] })],
    }),
  many: () => {
    const names = (n: number) =>
      Array.from({ length: 10 }, (_, at) => component(`Service ${n * 10 + at + 1}`));
    const groups = ["Europe", "America", "Asia", "Africa", "Oceania"].map((name, n) => group(name, names(n)));
    const broken = groups[1]?.components[3] as PublicComponent;
    broken.status = "outage";
    (groups[1] as PublicGroup).status = "outage";
    const components = [{ uuid: broken.uuid, name: broken.name }];
    const updates = [
      { uuid: uuid(600), at: NOW - HOUR_MS, status: "investigating", text: "We are looking into it." },
    ];
    return publicPage({
      overall: "partial_outage",
      groups,
      incidents: [incident("Service 14 does not answer", { components, updates })],
      history: HISTORY,
    });
  },
} satisfies Record<string, () => PublicPage>;
