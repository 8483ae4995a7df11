import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type DomainLimits, domainLimitsQuery } from "../../api/domain-settings.ts";
import { Notice } from "../../components/Notice.tsx";
import { showToast } from "../../components/toasts.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import { paths } from "../../paths.ts";
import { DomainForm } from "./DomainForm.tsx";
import { FormPage, FormPending } from "./FormPage.tsx";

const route = getRouteApi("/app/domains/new");

/** Everything about a domain that is to be watched, before its first check. */
export function NewDomainPage() {
  const { t } = useTranslation(["monitor/form", "kinds/domain/form"]);
  const { url } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isFetching, refetch } = useQuery(domainLimitsQuery);
  // The first answer stays: what is typed must not be lost to a later one, or to its failure.
  const [limits, setLimits] = useState<DomainLimits | undefined>(undefined);
  if (!limits && data) setLimits(data);
  usePageTitle(t("kinds/domain/form:newTitle"));
  return (
    <FormPage title={t("kinds/domain/form:newTitle")} back={null}>
      {limits ? (
        <>
          <QuotaNotice limits={limits} />
          <DomainForm
            detail={null}
            url={url}
            limits={limits}
            onDone={(saved) => {
              if (!saved) return;
              showToast("success", t("created", { name: saved.name }));
              void navigate({ to: paths.domain, params: { id: String(saved.id) }, replace: true });
            }}
          />
        </>
      ) : (
        <FormPending error={error} busy={isFetching} onRetry={() => void refetch()} />
      )}
    </FormPage>
  );
}

/** Better before everything is filled in than after. */
function QuotaNotice({ limits: { plan, monitors, monitorsUsed } }: { limits: DomainLimits }) {
  const { t } = useTranslation(["monitor/form", "kinds/domain/form"]);
  if (monitors === null || monitorsUsed < monitors) return null;
  return (
    <div className="mb-4">
      <Notice tone="info">{t("remark.quota", { count: monitors, plan })}</Notice>
    </div>
  );
}
