import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DeviceLists, ListName } from "../../api/device-lists.ts";
import { formatDateTime } from "../../i18n/format.ts";
import { formatBytes, formatShare } from "../../i18n/format-amounts.ts";

/** A column of one of the lists: what it says, and by what it is sorted, where that is not the same. */
export interface ListedColumn<Item> {
  id: string;
  width: string;
  align?: "end";
  text: (item: Item) => string;
  by?: (item: Item) => number | null;
}

/** The texts for the agent's codes. */
export interface ListWords {
  language: string;
  running: Record<"yes" | "no", string>;
  change: Record<DeviceLists["changes"]["change"], string>;
}

const megabyte = 1_048_576;
const place = (address: string | null, port: number | null): string =>
  address === null ? "–" : `${address.includes(":") ? `[${address}]` : address}:${port ?? "*"}`;
const orDash = (text: string | null): string => text || "–";

type Columns<Name extends ListName> = (words: ListWords) => readonly ListedColumn<DeviceLists[Name]>[];

const processes: Columns<"processes"> = ({ language }) => [
  { id: "name", width: "minmax(8rem, 1fr)", text: ({ name }) => name },
  {
    id: "cpu",
    width: "5.5rem",
    align: "end",
    text: ({ cpuPercent }) => formatShare(cpuPercent, language),
    by: ({ cpuPercent }) => cpuPercent,
  },
  {
    id: "memory",
    width: "5.5rem",
    align: "end",
    text: ({ memoryMB }) => formatBytes(memoryMB * megabyte, language),
    by: ({ memoryMB }) => memoryMB,
  },
  { id: "pid", width: "4.5rem", align: "end", text: ({ pid }) => String(pid), by: ({ pid }) => pid },
  { id: "user", width: "7rem", text: ({ user }) => user },
  { id: "status", width: "5.5rem", text: ({ status }) => status },
  { id: "command", width: "minmax(14rem, 3fr)", text: ({ command }) => command },
];

const network: Columns<"network"> = () => [
  { id: "process", width: "minmax(8rem, 1fr)", text: ({ processName }) => orDash(processName) },
  { id: "protocol", width: "4.5rem", text: ({ protocol }) => protocol.toUpperCase() },
  {
    id: "local",
    width: "minmax(11rem, 1fr)",
    text: ({ localAddress, localPort }) => place(localAddress, localPort),
  },
  {
    id: "remote",
    width: "minmax(11rem, 1fr)",
    text: ({ remoteAddress, remotePort }) => place(remoteAddress, remotePort),
  },
  { id: "status", width: "8rem", text: ({ status }) => status },
];

const applications: Columns<"applications"> = ({ language, running }) => [
  { id: "name", width: "minmax(12rem, 2fr)", text: ({ name }) => name },
  { id: "version", width: "minmax(8rem, 1fr)", text: ({ version }) => version },
  { id: "publisher", width: "minmax(8rem, 1fr)", text: ({ publisher }) => orDash(publisher) },
  {
    id: "size",
    width: "5.5rem",
    align: "end",
    text: ({ size }) => (size === null ? "–" : formatBytes(size, language)),
    by: ({ size }) => size,
  },
  { id: "running", width: "5rem", text: ({ isRunning }) => (isRunning ? running.yes : running.no) },
];

const containers: Columns<"containers"> = () => [
  { id: "name", width: "minmax(10rem, 1fr)", text: ({ name }) => name },
  { id: "image", width: "minmax(12rem, 2fr)", text: ({ image }) => image },
  { id: "status", width: "minmax(10rem, 1fr)", text: ({ state, status }) => status || state },
];

const changes: Columns<"changes"> = ({ language, change }) => [
  {
    id: "time",
    width: "12rem",
    text: ({ timestamp }) => formatDateTime(timestamp, language),
    by: ({ timestamp }) => Date.parse(timestamp),
  },
  { id: "change", width: "7rem", text: (item) => change[item.change] },
  { id: "name", width: "minmax(10rem, 2fr)", text: ({ name }) => name },
  { id: "version", width: "minmax(8rem, 1fr)", text: ({ version }) => orDash(version) },
  { id: "formerVersion", width: "minmax(8rem, 1fr)", text: ({ formerVersion }) => orDash(formerVersion) },
];

export const listColumns: { [Name in ListName]: Columns<Name> } = {
  processes,
  network,
  applications,
  containers,
  changes,
};

export const usualSorts: Record<ListName, string> = {
  processes: "-cpu",
  network: "process",
  applications: "name",
  containers: "name",
  changes: "-time",
};

/** Those that have the text in any column, in an order; unknown values come last. */
export function arrange<Item>(
  items: readonly Item[],
  columns: readonly ListedColumn<Item>[],
  { search, sort, language }: { search: string; sort: string; language: string },
): Item[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (item: Item): boolean => {
    if (words.length === 0) return true;
    const whole = columns
      .map(({ text }) => text(item))
      .join("\n")
      .toLowerCase();
    return words.every((word) => whole.includes(word));
  };
  const isDown = sort.startsWith("-");
  const column = columns.find(({ id }) => id === (isDown ? sort.slice(1) : sort));
  const found = items.filter(fits);
  if (!column) return found;
  const { by, text } = column;
  const collator = new Intl.Collator(language, { numeric: true });
  const turn = isDown ? -1 : 1;
  if (!by) return found.sort((a, b) => turn * collator.compare(text(a), text(b)));
  return found.sort((a, b) => {
    const [one, other] = [by(a), by(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return turn * (one - other);
  });
}

export function useListColumns<Name extends ListName>(
  name: Name,
): readonly (ListedColumn<DeviceLists[Name]> & { head: string })[] {
  const { t, i18n } = useTranslation("monitors/device");
  return useMemo(() => {
    const words = {
      language: i18n.language,
      running: { yes: t("lists.running.yes"), no: t("lists.running.no") },
      change: {
        installed: t("lists.change.installed"),
        removed: t("lists.change.removed"),
        updated: t("lists.change.updated"),
      },
    };
    const columns = listColumns[name](words) as readonly ListedColumn<DeviceLists[Name]>[];
    return columns.map((column) => ({ ...column, head: t(`lists.head.${column.id as "name"}`) }));
  }, [name, t, i18n.language]);
}
