import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type MonitorDetail, monitorQuery } from "../../../api/monitor.ts";
import { limitsQuery, type MonitorLimits } from "../../../api/monitor-settings.ts";
import { showToast } from "../../../components/toasts.ts";
import { usePageTitle } from "../../../components/use-page-title.ts";
import type { FormOfKind } from "../../../kinds/descriptor.ts";
import { KindProvider, useKind, useKindFormTexts } from "../../../kinds/use-kind.ts";
import { FormPage, FormPending } from "./FormPage.tsx";
import { MonitorForm } from "./MonitorForm.tsx";

interface Known {
  detail: MonitorDetail;
  limits: MonitorLimits;
}

/** Every setting of a monitor, to be changed. */
export function EditMonitorPage({ form }: { form: FormOfKind }) {
  return (
    <KindProvider value={form.kind}>
      <Page form={form} />
    </KindProvider>
  );
}

function Page({ form }: { form: FormOfKind }) {
  const { t } = useTranslation("monitor/form");
  const kind = useKind();
  const k = useKindFormTexts();
  const id = Number(useParams({ strict: false }).id);
  const navigate = useNavigate();
  const detail = useQuery(monitorQuery(kind, id));
  const limits = useQuery(limitsQuery);
  // The first answers stay: what is typed must not be lost to a live change, or to a later failure.
  const [known, setKnown] = useState<Known | null>(null);
  if (!known && detail.data && limits.data) setKnown({ detail: detail.data, limits: limits.data });
  const name = known?.detail.name ?? detail.data?.name ?? "";
  const title = name === "" ? k("editTitleUnnamed") : t("editTitle", { name });
  usePageTitle(title);
  return (
    <FormPage title={title} back={name === "" ? null : { id, name }}>
      {known ? (
        <MonitorForm
          key={id}
          form={form}
          {...known}
          onDone={(saved) => {
            if (saved) showToast("success", t("saved", { name: saved.name }));
            void navigate({ to: kind.pages.one, params: { id: String(id) }, replace: true });
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
