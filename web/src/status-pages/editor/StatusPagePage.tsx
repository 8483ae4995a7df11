import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../../api/roles.ts";
import { type StatusPage, statusPageQuery } from "../../api/status-pages.ts";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../../components/PageBar.tsx";
import type english from "./en.json";
import { PageEditor } from "./PageEditor.tsx";
import { OpenLink, Preview } from "./Preview.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "status-pages/editor": typeof english;
  }
}

/** One status page: its editor, or for who may not change it, what it shows. */
export function StatusPagePage() {
  const { t } = useTranslation(["status-pages/editor", "status-pages"]);
  const id = Number(useParams({ strict: false }).id);
  const query = useQuery(statusPageQuery(id));
  const mayWrite = useMayWrite();
  usePageTitle(query.data?.name ?? t("status-pages:title"));
  return (
    <>
      {!query.data && (
        <PageBar
          heading
          crumbs={[{ label: t("status-pages:title"), to: "/status-pages" }]}
          title={t("status-pages:column.name")}
        />
      )}
      <Loaded
        of={query}
        failed={t("failed")}
        gone={<p className="text-ink-muted">{t("gone")}</p>}
        loading={<Skeleton className="h-96 w-full" />}
      >
        {(page) => (mayWrite ? <PageEditor key={page.id} latest={page} /> : <PageView page={page} />)}
      </Loaded>
    </>
  );
}

const nothing = {};

/** A page for those who may not change it: what visitors see, and the way there. */
function PageView({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages");
  return (
    <>
      <PageBar heading crumbs={[{ label: t("title"), to: "/status-pages" }]} title={page.name}>
        <OpenLink page={page} />
      </PageBar>
      <Preview page={page} change={nothing} />
    </>
  );
}
