import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Deployment, deploymentsQuery } from "../../api/deployments.ts";
import { Section } from "../../components/Card.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";

const inks = {
  started: "text-ink-muted",
  succeeded: "text-up-ink",
  failed: "text-down-ink",
  cancelled: "text-ink-faint",
};

export function DeploymentsSection() {
  const { t } = useTranslation("settings/integrations");
  const query = useQuery(deploymentsQuery);
  return (
    <Section title={t("deployments.title")}>
      <Loaded
        of={query}
        failed={t("deployments.failed")}
        loading={<DeploymentTable deployments={undefined} />}
        empty={t("deployments.empty")}
      >
        {(deployments) => <DeploymentTable deployments={deployments} />}
      </Loaded>
    </Section>
  );
}

function DeploymentTable({ deployments }: { deployments: Deployment[] | undefined }) {
  const { t } = useTranslation("settings/integrations");
  const columns: Column<Deployment>[] = [
    {
      id: "name",
      head: t("deployments.what"),
      cell: (one) => <DeploymentName deployment={one} />,
      names: true,
    },
    {
      id: "monitors",
      head: t("deployments.touches"),
      cell: ({ monitors }) => monitors.map(({ name }) => name).join(", ") || t("deployments.nothing"),
      wide: true,
      className: "truncate text-ink-muted",
    },
    {
      id: "status",
      head: t("state"),
      cell: ({ status }) => <span className={inks[status]}>{t(`deployments.status.${status}`)}</span>,
      wide: true,
      width: "w-32",
    },
    {
      id: "when",
      head: t("deployments.when"),
      cell: ({ startedAt, finishedAt }) => <Time at={finishedAt ?? startedAt} />,
      align: "end",
      width: "w-36",
      className: "text-ink-muted",
    },
  ];
  const note = ({ status, monitors }: Deployment) => (
    <span className="wrap-anywhere">
      <span className={inks[status]}>{t(`deployments.status.${status}`)}</span>
      {monitors.length > 0 && ` · ${monitors.map(({ name }) => name).join(", ")}`}
    </span>
  );
  return <Table columns={columns} rows={deployments} keyOf={({ id }) => id} note={note} />;
}

/** A commit is recognised by its first digits; what people call a version may differ at its end. */
const commit = /^([0-9a-f]{12})[0-9a-f]{8,52}$/i;

const joined = (...texts: (string | null | undefined)[]): string => texts.filter(Boolean).join(" · ");

function DeploymentName({
  deployment: { name, version, author, url, environment, message },
}: {
  deployment: Deployment;
}) {
  return (
    <>
      <div dir="auto" className="truncate font-medium" title={message ?? undefined}>
        {url ? (
          <a
            href={url}
            rel="noreferrer"
            target="_blank"
            className="rounded-sm underline-offset-4 hover:underline"
          >
            {name}
          </a>
        ) : (
          name
        )}
      </div>
      <div className="truncate text-xs text-ink-faint" title={joined(version, environment, author)}>
        {joined(version?.replace(commit, "$1"), environment, author)}
      </div>
    </>
  );
}
