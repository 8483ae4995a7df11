import { useTranslation } from "react-i18next";
import type { StatusPage } from "../../api/status-pages.ts";
import { PageBar } from "../../components/PageBar.tsx";
import { OpenLink } from "./OpenLink.tsx";
import { Preview } from "./Preview.tsx";

const nothing = {};

/** A page for those who may not change it: what visitors see, and the way there. */
export function PageView({ page }: { page: StatusPage }) {
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
