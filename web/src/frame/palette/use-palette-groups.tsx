import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { monitorQuery } from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { devicesQuery, problemsQuery, servicesQuery } from "../../api/overview.ts";
import { readRecents } from "../../api/recents.ts";
import { type SearchResult, searchQuery } from "../../api/search.ts";
import type { Session } from "../../api/session.ts";
import { focusPage } from "../../components/focus.ts";
import { useDebounced } from "../../components/use-now.ts";
import { type KindId, type MonitorKind, monitorKinds } from "../../kinds.ts";
import { useMonitorActs } from "../../monitors/monitor-acts.ts";
import { settingsEntriesOf } from "../../settings/entries.ts";
import { showToast } from "../../toasts.ts";
import { entries } from "../entries.ts";
import {
  fitOf,
  fits,
  type LocalGroup,
  type LocalItem,
  type PaletteControls,
  type PaletteGroup,
  type PaletteItem,
  type Step,
} from "./items.ts";
import { useIncidentItem, useMonitorItem } from "./monitor-items.tsx";
import { useActions } from "./use-actions.tsx";

/** Keystrokes within this time are one search. */
const quietMs = 120;
const mostOfEach = 5;

interface PaletteOptions {
  session: Session;
  typed: string;
  step: Step | null;
  controls: PaletteControls;
}

interface Found {
  groups: PaletteGroup[];
  /** Whether these are what fits what was typed, and nothing is on its way. */
  isUpToDate: boolean;
  /** Why nothing could be searched. */
  error: string;
}

/** What the palette shows: before anything is typed what is likely wanted, then what fits best. */
export function usePaletteGroups({ session, typed, step, controls }: PaletteOptions): Found {
  const text = typed.trim();
  const wanted = useDebounced(text, quietMs);
  const search = useQuery(searchQuery(text === "" ? "" : wanted));
  const usual = useUsual(session);
  const local = [...usePages(session), useActions({ session, typed: text, controls })];
  const found = useFound(text, text === "" ? [] : (search.data ?? []));
  const actOnAny = useActOnAny();
  const isAnswered = search.isError || (search.data !== undefined && !search.isPlaceholderData);
  const isUpToDate = text === "" || (wanted === text && isAnswered);
  const error = text !== "" && search.error && wanted === text ? search.error.message : "";
  if (step) {
    const shown = text === "" ? usual : found.filter(({ id }) => id === "found");
    return {
      groups: nonEmpty(shown).map((group) => withAct(group, (kind, id) => actOnAny(step, kind, id))),
      isUpToDate,
      error,
    };
  }
  if (text === "") return { groups: nonEmpty([...usual, ...local.map(shownAtOnce)]), isUpToDate, error };
  const fitting = local.map(({ id, all }) => ({ id, items: bestOf(text, all) }));
  return { groups: inOrder(text, nonEmpty([...found, ...fitting])), isUpToDate, error };
}

/** The lines of monitors, each doing this with its monitor instead of opening it. */
const withAct = (
  { id, items }: PaletteGroup,
  act: (kind: MonitorKind, id: number) => void,
): PaletteGroup => ({
  id,
  items: items.flatMap(({ href: _, monitor, ...item }) =>
    monitor ? [{ ...item, run: () => act(monitor.kind, monitor.id) }] : [],
  ),
});

const nonEmpty = (groups: readonly PaletteGroup[]) => groups.filter(({ items }) => items.length > 0);

const shownAtOnce = ({ id, all }: LocalGroup): PaletteGroup => ({
  id,
  items: all.filter(({ atOnce }) => atOnce),
});

/** Those that fit, the best first. */
function bestOf(text: string, all: readonly LocalItem[]): PaletteItem[] {
  return all
    .map((item) => ({ item, fit: item.always ? fits.length : fitOf(text, item.text, item.also) }))
    .filter((one): one is { item: LocalItem; fit: number } => one.fit !== null)
    .sort((a, b) => a.fit - b.fit)
    .map(({ item }) => item);
}

/** First the group whose first item fits best. */
function inOrder(text: string, groups: PaletteGroup[]): PaletteGroup[] {
  const worst = fits.length;
  return groups
    .map((group) => ({ group, fit: fitOf(text, group.items[0]?.text ?? "") ?? worst }))
    .sort((a, b) => a.fit - b.fit)
    .map(({ group }) => group);
}

/** What is down, and what was opened lately. */
function useUsual(session: Session): PaletteGroup[] {
  const item = useMonitorItem();
  const domains = useQuery(problemsQuery("down")).data?.monitors ?? [];
  const services = useQuery(servicesQuery).data?.down.monitors ?? [];
  const devices = useQuery(devicesQuery).data?.down.monitors ?? [];
  const down = [
    ...domains.map((one) => shownOf(monitorKinds.domain, one)),
    ...services.map((one) => shownOf(monitorKinds.service, one)),
    ...devices.map((one) => shownOf(monitorKinds.device, one)),
  ].toSorted((a, b) => (b.status.since ?? "").localeCompare(a.status.since ?? ""));
  const recents = readRecents(session).filter(
    ({ kind, id }) => !down.some((one) => one.kind === kind && one.id === id),
  );
  return [
    { id: "down", items: down.slice(0, mostOfEach).map((one) => item(one, "down")) },
    { id: "recent", items: recents.slice(0, mostOfEach).map((one) => item(one, "recent")) },
  ];
}

const shownOf = (kind: MonitorKind, monitor: Monitor) => ({
  kind: kind.id,
  id: monitor.id,
  name: monitor.name,
  address: kind.addressOf(monitor),
  status: { state: monitor.state, since: monitor.statusSince },
});

/** What the server found. */
function useFound(text: string, results: readonly SearchResult[]): PaletteGroup[] {
  const monitorItem = useMonitorItem();
  const incidentItem = useIncidentItem();
  const words = text.toLowerCase().split(/\s+/);
  const monitors: PaletteItem[] = [];
  const incidents: PaletteItem[] = [];
  for (const result of results) {
    const { kind, id, name, address, status, since } = result;
    if (kind === "incident") {
      incidents.push(incidentItem(result));
      continue;
    }
    const tags = result.tags.filter((tag) => words.some((word) => tag.toLowerCase().includes(word)));
    const shown = { kind, id, name, address: address ?? "", tags, status: { state: status, since } };
    monitors.push(monitorItem(shown, "found"));
  }
  return [
    { id: "found", items: monitors },
    { id: "incidents", items: incidents },
  ];
}

/** Does this with a monitor that may not have been read yet. */
function useActOnAny(): (step: Step, kind: MonitorKind, id: number) => void {
  const client = useQueryClient();
  const acts: Record<KindId, ReturnType<typeof useMonitorActs>> = {
    domain: useMonitorActs(monitorKinds.domain, { showsToast: true }),
    service: useMonitorActs(monitorKinds.service, { showsToast: true }),
    device: useMonitorActs(monitorKinds.device, { showsToast: true }),
  };
  return (step, kind, id) => {
    client.fetchQuery(monitorQuery(kind, id)).then(
      (monitor) => acts[kind.id](monitor)[step]?.run(),
      (error: Error) => showToast("error", error.message),
    );
  };
}

/** The pages of the app that the role may see, also by their English names. */
function usePages({ organization }: Session): LocalGroup[] {
  const { t } = useTranslation(["shared", "settings"]);
  const router = useRouter();
  const go = (to: string) => void router.navigate({ to }).then(focusPage);
  const line = (path: string, Icon: LucideIcon) => ({
    id: `page${path.replaceAll("/", "-")}`,
    icon: <Icon aria-hidden />,
    href: path,
    run: () => go(path),
  });
  const pages = entries.filter(({ group }) => group !== "end");
  const main = pages.map(({ id, path, icon }) => ({
    ...line(path, icon),
    text: t(`app.${id}`),
    also: [t(`app.${id}`, { lng: "en" })],
    atOnce: true,
  }));
  const settings = settingsEntriesOf(organization.role).map(({ path, label, icon }) => ({
    ...line(path, icon),
    text: t(`settings:entries.${label}`),
    also: [t(`settings:entries.${label}`, { lng: "en" }), t("settings:title")],
  }));
  return [
    { id: "pages", all: main },
    { id: "settings", all: settings },
  ];
}
