import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import {
  type Integration,
  isAwaited,
  type Resource,
  resourcesQuery,
  useMonitorResource,
} from "../../api/integrations.ts";
import { Button } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { monitorKinds } from "../../kinds.ts";
import { showToast } from "../../toasts.ts";

const mostShown = 200;

/** Why there is nothing to be seen of an account. */
const emptyWord = (account: Integration) =>
  isAwaited(account) ? "waiting" : account.syncedAt === null ? "unread" : "empty";

/** What an account has, to be picked for monitoring. */
export function ResourcesSection({ account, canWrite }: { account: Integration; canWrite: boolean }) {
  const { t } = useTranslation("settings/integrations");
  const [search, setSearch] = useState("");
  const query = useQuery({
    ...resourcesQuery(account.provider, account.id, account.syncedAt),
    // What was read before stays until the next look has been read.
    placeholderData: (before) => before,
  });
  return (
    <Section
      title={t("resources.title")}
      trailing={
        <input
          type="search"
          value={search}
          aria-label={t("resources.search")}
          placeholder={t("resources.search")}
          onChange={(event) => setSearch(event.target.value)}
          className="control h-8 w-56 max-w-full"
        />
      }
    >
      <Loaded
        of={query}
        failed={t("resources.failed")}
        loading={<ResourceTable account={account} resources={undefined} canWrite={canWrite} />}
        empty={t(`resources.${emptyWord(account)}`)}
      >
        {(all) => {
          const found = foundResources(all, search);
          if (found.length === 0) return <p className="px-4 pb-4 text-ink-faint">{t("resources.none")}</p>;
          return (
            <>
              <ResourceTable account={account} resources={found.slice(0, mostShown)} canWrite={canWrite} />
              {found.length > mostShown && (
                <p className="border-t border-line px-4 py-3 text-sm text-ink-faint">
                  {t("resources.more", { count: found.length - mostShown })}
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

interface ResourceTableProps {
  account: Integration;
  /** Undefined while they are on their way. */
  resources: Resource[] | undefined;
  canWrite: boolean;
}

function ResourceTable({ account, resources, canWrite }: ResourceTableProps) {
  const { t } = useTranslation(["settings/integrations", "shared"]);
  const columns: Column<Resource>[] = [
    { id: "name", head: t("name"), cell: (one) => <ResourceName resource={one} />, names: true },
    {
      id: "address",
      head: t("resources.address"),
      cell: ({ address }) => address ?? "–",
      wide: true,
      className: "truncate text-ink-muted",
    },
    {
      id: "state",
      head: t("state"),
      cell: (one) => <ResourceState resource={one} />,
      wide: true,
      width: "w-36",
      className: "text-ink-muted",
    },
    {
      id: "monitor",
      head: <span className="sr-only">{t("shared:table.actions")}</span>,
      cell: (one) => <MonitorCell account={account} resource={one} canWrite={canWrite} />,
      align: "end",
      width: "w-32",
    },
  ];
  const note = (one: Resource) => (
    <span className="grid gap-0.5 wrap-anywhere">
      {one.address && <span>{one.address}</span>}
      <ResourceState resource={one} />
    </span>
  );
  return <Table columns={columns} rows={resources} keyOf={({ id }) => id} note={note} />;
}

function ResourceName({ resource: { name, type, place } }: { resource: Resource }) {
  return (
    <>
      <div dir="auto" className="truncate font-medium">
        {name}
      </div>
      <div className="truncate text-xs text-ink-faint">{[type, place].filter(Boolean).join(" · ")}</div>
    </>
  );
}

function ResourceState({ resource: { state, removedAt } }: { resource: Resource }) {
  const { t } = useTranslation("settings/integrations");
  if (removedAt !== null) return <span className="text-warn-ink">{t("resources.removed")}</span>;
  return <span className="wrap-anywhere">{state}</span>;
}

/** A way to its monitor, or to have it monitored. */
function MonitorCell({
  account,
  resource,
  canWrite,
}: {
  account: Integration;
  resource: Resource;
  canWrite: boolean;
}) {
  const { t } = useTranslation("settings/integrations");
  const monitoring = useMonitorResource(account.provider, account.id);
  const { monitor, canBeMonitored, id, name } = resource;
  if (monitor) {
    return (
      <Link
        to={monitorKinds[monitor.kind].pages.one}
        params={{ id: String(monitor.id) }}
        aria-label={t("resources.openOf", { name })}
        className="rounded-sm text-ink-muted underline underline-offset-4"
      >
        {t("resources.open")}
      </Link>
    );
  }
  if (!canBeMonitored) return <span className="text-ink-faint">{t("resources.noAddress")}</span>;
  if (!canWrite) return null;
  const begin = () =>
    monitoring.mutate(id, {
      onSuccess: () => showToast("success", t("resources.begun", { name })),
      onError: (error) => showToast("error", sentencesOf(error).join(" ")),
    });
  return (
    <Button
      variant="quiet"
      className="h-8 px-2.5"
      aria-label={t("resources.monitorOf", { name })}
      busy={monitoring.isPending}
      onClick={begin}
    >
      {t("resources.monitor")}
    </Button>
  );
}

const textsOf = ({ name, type, place, address }: Resource): (string | null)[] => [name, type, place, address];

const isOfUse = ({ canBeMonitored, monitor }: Resource): boolean => canBeMonitored || monitor !== null;

/** The likeliest first: names before the rest, then monitored but removed over there, monitored, and what can be. */
export function foundResources(all: readonly Resource[], search: string): Resource[] {
  const wanted = search.trim().toLowerCase();
  const rank = (one: Resource): number =>
    Number(one.name.toLowerCase().includes(wanted)) * 8 +
    Number(one.removedAt !== null) * 4 +
    Number(one.monitor !== null) * 2 +
    Number(isOfUse(one));
  return all
    .filter((one) => textsOf(one).some((text) => text?.toLowerCase().includes(wanted)))
    .toSorted((one, other) => rank(other) - rank(one));
}
