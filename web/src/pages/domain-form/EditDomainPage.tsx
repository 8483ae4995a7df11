import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type DomainDetail, domainQuery } from "../../api/domain.ts";
import { type DomainLimits, domainLimitsQuery } from "../../api/domain-settings.ts";
import { showToast } from "../../components/toasts.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import { paths } from "../../paths.ts";
import { DomainForm } from "./DomainForm.tsx";
import { FormPage, FormPending } from "./FormPage.tsx";

const route = getRouteApi("/app/domains/$id/edit");

interface Known {
  detail: DomainDetail;
  limits: DomainLimits;
}

/** Every setting of a domain, to be changed. */
export function EditDomainPage() {
  const { t } = useTranslation(["monitor/form", "kinds/domain/form"]);
  const id = Number(route.useParams().id);
  const navigate = route.useNavigate();
  const detail = useQuery(domainQuery(id));
  const limits = useQuery(domainLimitsQuery);
  // The first answers stay: what is typed must not be lost to a live change, or to a later failure.
  const [known, setKnown] = useState<Known | null>(null);
  if (!known && detail.data && limits.data) setKnown({ detail: detail.data, limits: limits.data });
  const name = known?.detail.name ?? detail.data?.name ?? "";
  const title = name === "" ? t("kinds/domain/form:editTitleUnnamed") : t("editTitle", { name });
  usePageTitle(title);
  return (
    <FormPage title={title} back={name === "" ? null : { id, name }}>
      {known ? (
        <DomainForm
          key={id}
          {...known}
          onDone={(saved) => {
            if (saved) showToast("success", t("saved", { name: saved.name }));
            void navigate({ to: paths.domain, params: { id: String(id) }, replace: true });
          }}
        />
      ) : (
        <FormPending
          error={detail.error ?? limits.error}
          busy={detail.isFetching || limits.isFetching}
          onRetry={() => void Promise.all([detail.refetch(), limits.refetch()])}
        />
      )}
    </FormPage>
  );
}
