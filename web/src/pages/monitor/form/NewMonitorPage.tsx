import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { limitsQuery, type MonitorLimits } from "../../../api/monitor-settings.ts";
import { Notice } from "../../../components/Notice.tsx";
import { showToast } from "../../../components/toasts.ts";
import { usePageTitle } from "../../../components/use-page-title.ts";
import type { FormOfKind } from "../../../kinds/descriptor.ts";
import { KindProvider, useKind, useKindFormTexts } from "../../../kinds/use-kind.ts";
import { FormPage, FormPending } from "./FormPage.tsx";
import { MonitorForm } from "./MonitorForm.tsx";

/** Everything about a monitor that is to be watched, before its first check. */
export function NewMonitorPage({ form }: { form: FormOfKind }) {
  return (
    <KindProvider value={form.kind}>
      <Page form={form} />
    </KindProvider>
  );
}

function Page({ form }: { form: FormOfKind }) {
  const { t } = useTranslation("monitor/form");
  const { pages } = useKind();
  const k = useKindFormTexts();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data, error, isFetching, refetch } = useQuery(limitsQuery);
  // The first answer stays: what is typed must not be lost to a later one, or to its failure.
  const [limits, setLimits] = useState<MonitorLimits | undefined>(undefined);
  if (!limits && data) setLimits(data);
  usePageTitle(k("newTitle"));
  return (
    <FormPage title={k("newTitle")} back={null}>
      {limits ? (
        <>
          <QuotaNotice limits={limits} />
          <MonitorForm
            form={form}
            detail={null}
            start={form.start?.(search)}
            limits={limits}
            onDone={(saved) => {
              if (!saved) return;
              showToast("success", t("created", { name: saved.name }));
              void navigate({ to: pages.one, params: { id: String(saved.id) }, replace: true });
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
function QuotaNotice({ limits: { plan, monitors, monitorsUsed } }: { limits: MonitorLimits }) {
  const { t } = useTranslation("monitor/form");
  if (monitors === null || monitorsUsed < monitors) return null;
  return (
    <div className="mb-4">
      <Notice tone="info">{t("remark.quota", { count: monitors, plan })}</Notice>
    </div>
  );
}
